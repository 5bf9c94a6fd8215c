/** Starts the server when a Python file or a notebook is opened, and whenever another one is to be run. */

import * as vscode from "vscode";
import { registerCommands } from "./commands";
import { onOtherInterpreter } from "./interpreter";
import { Pages } from "./pages";
import { Session } from "./session";
import { RESTARTING_SETTINGS } from "./settings";
import { Status } from "./status";

let session: Session | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const log = vscode.window.createOutputChannel("jaxlint", { log: true });
  const status = new Status();
  const pages = new Pages();
  const started = new Session(log, status, pages);
  session = started;
  context.subscriptions.push(
    log,
    status,
    pages,
    ...registerCommands(started, pages, log),
    vscode.workspace.onDidGrantWorkspaceTrust(() => started.restart()),
    vscode.workspace.onDidChangeConfiguration(async (change) => {
      if (RESTARTING_SETTINGS.some((name) => change.affectsConfiguration(`jaxlint.${name}`))) await started.restart();
      else if (change.affectsConfiguration("jaxlint")) await started.settingsChanged();
    }),
  );
  await started.restart();
  const listening = await onOtherInterpreter(() => void started.restart());
  if (listening !== undefined) context.subscriptions.push(listening);
}

export async function deactivate(): Promise<void> {
  await session?.stop();
}
