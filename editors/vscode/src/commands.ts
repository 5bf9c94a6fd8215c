/** The commands of the palette. */

import * as vscode from "vscode";
import type { Pages } from "./pages";
import type { Session } from "./session";

type Command = (editor: vscode.TextEditor) => Promise<void>;

export function registerCommands(session: Session, pages: Pages, log: vscode.LogOutputChannel): vscode.Disposable[] {
  const inEditor: Record<string, Command> = {
    "jaxlint.explainRule": async (editor) => {
      const rule = await ruleAt(editor);
      if (rule === undefined) return;
      const text = await session.ask("jaxlint.explain", rule, false);
      if (typeof text === "string") await pages.showRule(text);
    },
    "jaxlint.whyTraced": async (editor) => {
      const text = await session.ask("jaxlint.why", session.place(editor.document, editor.selection.active));
      if (typeof text === "string") await pages.show("Why is this traced", text);
      else void vscode.window.showInformationMessage("jaxlint: nothing is known of the expression at the cursor.");
    },
    "jaxlint.openReference": async (editor) => {
      const rule = await ruleAt(editor);
      if (rule === undefined || (await session.ask("jaxlint.openPage", rule)) !== null) return;
      void vscode.window.showInformationMessage(`jaxlint: ${rule} refers to no page.`);
    },
    "jaxlint.fixAllSafe": () => fixAll("source.fixAll.jaxlint"),
    "jaxlint.fixAllUnsafe": () => fixAll("source.jaxlint.fixAllUnsafe"),
  };
  return [
    vscode.commands.registerCommand("jaxlint.restart", () => session.restart()),
    vscode.commands.registerCommand("jaxlint.showLog", () => log.show()),
    ...Object.entries(inEditor).map(([name, command]) =>
      vscode.commands.registerCommand(name, async () => {
        const editor = vscode.window.activeTextEditor;
        if (editor !== undefined) await command(editor).catch(told);
      }),
    ),
  ];
}

async function fixAll(kind: string): Promise<void> {
  await vscode.commands.executeCommand("editor.action.sourceAction", { kind, apply: "first" });
}

/** The rule of a finding at the cursor, or else on its line; the user chooses where there are several, and names it where there is none. */
async function ruleAt(editor: vscode.TextEditor): Promise<string | undefined> {
  const cursor = editor.selection.active;
  const ours = vscode.languages.getDiagnostics(editor.document.uri).filter((each) => each.source === "jaxlint");
  const here = ours.filter((each) => each.range.contains(cursor));
  const found = here.length ? here : ours.filter((each) => each.range.intersection(editor.document.lineAt(cursor).range));
  const rules = new Map(found.map((each) => [codeOf(each), each.message.split("\n", 1)[0]]));
  if (rules.size === 0) {
    return vscode.window.showInputBox({ prompt: "The code or the name of a rule", placeHolder: "JAX103" });
  }
  if (rules.size === 1) return [...rules.keys()][0];
  const chosen = await vscode.window.showQuickPick([...rules].map(([label, description]) => ({ label, description: description ?? "" })));
  return chosen?.label;
}

function codeOf({ code }: vscode.Diagnostic): string {
  return String(typeof code === "object" ? code.value : code);
}

function told(error: unknown): void {
  void vscode.window.showErrorMessage(`jaxlint: ${error instanceof Error ? error.message : String(error)}`);
}
