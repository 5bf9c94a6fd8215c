/** Markdown that the server writes, shown as read-only documents in VS Code's preview. */

import * as vscode from "vscode";

const SCHEME = "jaxlint";

export class Pages implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
  readonly onDidChange = this.changed.event;

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.path) ?? "";
  }

  /** Show a page beside the code. Another page of the same name takes its place. */
  async show(name: string, text: string): Promise<void> {
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${name}.md` });
    this.texts.set(uri.path, text);
    this.changed.fire(uri);
    await vscode.commands.executeCommand("markdown.showPreviewToSide", uri);
  }

  /** Show the page of a rule, whose heading is its code and name. */
  async showRule(text: string): Promise<void> {
    const [heading = ""] = text.split("\n", 1);
    await this.show(heading.replace(/[^\w-]+/g, " ").trim(), text);
  }

  dispose(): void {
    this.registration.dispose();
    this.changed.dispose();
  }
}
