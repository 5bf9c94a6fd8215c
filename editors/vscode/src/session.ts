/** The server, from being looked for to being stopped. One of them serves all folders of the workspace. */

import * as os from "node:os";
import * as vscode from "vscode";
import {
  CloseAction,
  type ConfigurationParams,
  ErrorAction,
  type ErrorHandler,
  ExecuteCommandRequest,
  LanguageClient,
  type LanguageClientOptions,
  State,
} from "vscode-languageclient/node";
import { hasPythonExtension, selectedInterpreter } from "./interpreter";
import type { Pages } from "./pages";
import { isProgram, lacks, onPath } from "./programs";
import { findServer, isServer, type Missing, type Server } from "./server";
import { asksForAllFixes, expanded, serverSettings } from "./settings";
import type { Status } from "./status";

const SECTION = "jaxlint";

/** A client that shows no error by itself before it has started: whoever starts it says what is wrong. */
class Client extends LanguageClient {
  hasStarted = false;

  override error(...[message, data, show]: Parameters<LanguageClient["error"]>): void {
    super.error(message, data, this.hasStarted ? show : false);
  }
}

export class Session {
  private client: LanguageClient | undefined;
  private last: Promise<void> = Promise.resolve();

  constructor(
    private readonly log: vscode.LogOutputChannel,
    private readonly status: Status,
    private readonly pages: Pages,
  ) {}

  /** Start the server, or start it anew. Calls wait for one another. */
  restart(): Promise<void> {
    return this.next(async () => {
      await this.end();
      await this.begin();
    });
  }

  stop(): Promise<void> {
    return this.next(() => this.end());
  }

  /** What the server answers to a command. Throws where none is running. */
  async ask(command: string, ...args: unknown[]): Promise<unknown> {
    return this.running().sendRequest(ExecuteCommandRequest.type, { command, arguments: args });
  }

  /** A place in a document in the words of the protocol. */
  place(document: vscode.TextDocument, position: vscode.Position): unknown {
    const converter = this.running().code2ProtocolConverter;
    return converter.asTextDocumentPositionParams(document, position);
  }

  /** Tell the server to ask for its settings again. */
  async settingsChanged(): Promise<void> {
    if (this.client?.state === State.Running) {
      await this.client.sendNotification("workspace/didChangeConfiguration", { settings: null });
    }
  }

  private running(): LanguageClient {
    if (this.client?.state !== State.Running) throw new Error("The server of jaxlint is not running.");
    return this.client;
  }

  private next(step: () => Promise<void>): Promise<void> {
    this.last = this.last.then(step, step);
    return this.last;
  }

  private async end(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    await client?.dispose().catch((error: unknown) => this.log.warn(`The server did not stop in time: ${String(error)}`));
  }

  private async begin(): Promise<void> {
    this.status.starting();
    const found = await this.find().catch((error: unknown): Missing => ({ reason: String(error) }));
    if (!isServer(found)) {
      this.complain(found);
      return;
    }
    this.log.info(`The server is that of ${found.origin}.`);
    // A server that ends before it has answered would end again; one that ends later is started anew a few times.
    let once: ErrorHandler | undefined;
    const errorHandler: ErrorHandler = {
      error: (...told) => once?.error(...told) ?? { action: ErrorAction.Continue, handled: true },
      closed: () => once?.closed() ?? { action: CloseAction.DoNotRestart, handled: true },
    };
    const program = { command: found.command, args: found.args };
    const client = new Client(SECTION, "jaxlint", program, { ...this.options(), errorHandler });
    client.onDidChangeState(({ newState }) => {
      if (newState === State.Running) {
        this.status.running(client.initializeResult?.serverInfo?.version, found.origin);
      } else if (newState === State.Stopped && this.client === client) {
        this.status.stopped("The server has ended; the log says why.");
      }
    });
    this.client = client;
    try {
      await client.start();
      client.hasStarted = true;
      once = client.createDefaultErrorHandler();
    } catch {
      this.complain({ reason: `The server of ${found.origin} did not start; the log says why.` });
    }
  }

  private find(): Promise<Server | Missing> {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    const given = vscode.workspace.getConfiguration(SECTION, folder);
    const path = (name: string): string => expanded(given.get<string>(name, ""), os.homedir(), folder?.uri.fsPath);
    return findServer({
      path: path("path"),
      interpreter: path("interpreter"),
      trusted: vscode.workspace.isTrusted,
      isProgram,
      selected: () => selectedInterpreter(folder?.uri),
      lacks,
      onPath: () => onPath("jaxlint"),
    });
  }

  private options(): LanguageClientOptions {
    return {
      documentSelector: [
        { scheme: "file", language: "python" },
        { scheme: "untitled", language: "python" },
        { notebook: "jupyter-notebook", language: "python" },
      ],
      outputChannel: this.log,
      initializationFailedHandler: () => false, // it is told once, by whoever starts the server
      initializationOptions: serverSettings(vscode.workspace.getConfiguration(SECTION)),
      middleware: {
        executeCommand: async (command, args: unknown[], next) => {
          // The server shows a page by itself unless it is told that the client does.
          if (command !== "jaxlint.explain") return next(command, args);
          const text: unknown = await next(command, [args[0], false]);
          if (typeof text === "string") await this.pages.showRule(text);
          return text;
        },
        provideCodeActions: async (document, range, context, token, next) => {
          const given = vscode.workspace.getConfiguration(SECTION, document);
          if (asksForAllFixes(context.only?.value) && !given.get<boolean>("fixAll", true)) return [];
          return next(document, range, context, token);
        },
        workspace: {
          configuration: (params: ConfigurationParams) =>
            params.items.map(({ section }) =>
              section === SECTION ? serverSettings(vscode.workspace.getConfiguration(SECTION)) : null,
            ),
        },
      },
    };
  }

  /** Say that there is no server, and what can be done about it. Nobody has to answer before work goes on. */
  private complain({ reason, install }: Missing): void {
    this.log.error(reason);
    this.status.stopped(reason);
    const message = install === undefined ? reason : `${reason} Install it with: ${install}`;
    const run = (command: string, ...args: unknown[]) => vscode.commands.executeCommand(command, ...args);
    const actions: [string, () => unknown][] = [
      install === undefined
        ? ["Open Settings", () => run("workbench.action.openSettings", "jaxlint.")]
        : ["Copy Command", () => vscode.env.clipboard.writeText(install)],
    ];
    if (!vscode.workspace.isTrusted) actions.push(["Manage Trust", () => run("workbench.trust.manage")]);
    else if (hasPythonExtension()) actions.push(["Select Interpreter", () => run("python.setInterpreter")]);
    actions.push(["Show Log", () => this.log.show()]);
    const titles = actions.map(([title]) => title);
    void vscode.window.showWarningMessage(`jaxlint: ${message}`, ...titles).then((chosen) => {
      const [, act] = actions.find(([title]) => title === chosen) ?? [];
      return act?.();
    });
  }
}
