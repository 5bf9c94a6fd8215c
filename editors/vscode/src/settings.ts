/** The settings of the extension as the server and the file system take them. */

/** What is read of VS Code's configuration, below `jaxlint`. */
export interface Given {
  get(name: string): unknown;
}

/** The settings that the server knows. The others are about the extension alone. */
export const SERVER_SETTINGS = [
  "enable",
  "debounce",
  "hover",
  "inlayHints",
  "plugins",
  "select",
  "extendSelect",
  "ignore",
  "preview",
  "targetJax",
] as const;

/** Settings for which the server is started anew; it is told of the others. */
export const RESTARTING_SETTINGS = ["path", "interpreter"] as const;

/** What the server is told. A setting without a value is left out, so that `pyproject.toml` decides. */
export function serverSettings(given: Given): Record<string, unknown> {
  const told: Record<string, unknown> = {};
  for (const name of SERVER_SETTINGS) {
    const value = given.get(name);
    const empty = value === undefined || value === null || value === "" || (Array.isArray(value) && !value.length);
    if (!empty) told[name] = value;
  }
  return told;
}

/** A path of the settings in full: `~` is the home folder, `${workspaceFolder}` the first folder of the workspace. */
export function expanded(given: string, home: string, folder: string | undefined): string {
  const path = given.trim().replace(/^~(?=$|[\\/])/, () => home);
  return folder === undefined ? path : path.replaceAll("${workspaceFolder}", () => folder);
}

/** Whether `source.fixAll`, which means the fixes of all extensions, is asked for; a request may name ours alone. */
export function asksForAllFixes(only: string | undefined): boolean {
  return only === "source" || only === "source.fixAll";
}
