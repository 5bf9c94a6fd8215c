/** What the status item of Python files says of the server. */

import * as vscode from "vscode";

export class Status implements vscode.Disposable {
  private readonly item = vscode.languages.createLanguageStatusItem("jaxlint", { language: "python" });

  constructor() {
    this.item.name = "jaxlint";
    this.item.command = { title: "Show Log", command: "jaxlint.showLog" };
  }

  starting(): void {
    this.say("jaxlint starts", "", vscode.LanguageStatusSeverity.Information, true);
  }

  running(version: string | undefined, origin: string): void {
    this.say(`jaxlint ${version ?? ""}`.trim(), origin, vscode.LanguageStatusSeverity.Information);
  }

  stopped(reason: string): void {
    this.say("jaxlint does not run", reason, vscode.LanguageStatusSeverity.Error);
  }

  private say(text: string, detail: string, severity: vscode.LanguageStatusSeverity, busy = false): void {
    Object.assign(this.item, { text, detail, severity, busy });
  }

  dispose(): void {
    this.item.dispose();
  }
}
