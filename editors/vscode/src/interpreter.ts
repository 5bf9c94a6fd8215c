/** The interpreter that is selected in the Python extension, which need not be there. */

import * as vscode from "vscode";

/** What is used of the interface that the Python extension exports. */
interface PythonExtension {
  readonly environments: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { readonly id: string; readonly path: string };
    resolveEnvironment(environment: {
      readonly id: string;
      readonly path: string;
    }): Promise<{ readonly executable: { readonly uri?: vscode.Uri } } | undefined>;
    readonly onDidChangeActiveEnvironmentPath: vscode.Event<unknown>;
  };
}

const ID = "ms-python.python";

async function python(): Promise<PythonExtension | undefined> {
  const extension = vscode.extensions.getExtension<PythonExtension>(ID);
  if (extension === undefined) return undefined;
  const exported = extension.isActive ? extension.exports : await extension.activate();
  return exported?.environments === undefined ? undefined : exported;
}

export function hasPythonExtension(): boolean {
  return vscode.extensions.getExtension(ID) !== undefined;
}

/** The path of the selected interpreter for a folder. */
export async function selectedInterpreter(folder: vscode.Uri | undefined): Promise<string | undefined> {
  const found = await python();
  if (found === undefined) return undefined;
  const environment = await found.environments.resolveEnvironment(found.environments.getActiveEnvironmentPath(folder));
  return environment?.executable.uri?.fsPath;
}

/** Call back whenever another interpreter is selected. */
export async function onOtherInterpreter(selected: () => void): Promise<vscode.Disposable | undefined> {
  return (await python())?.environments.onDidChangeActiveEnvironmentPath(selected);
}
