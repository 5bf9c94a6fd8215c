/** Programs of this machine: whether they are there, and what an interpreter has installed. */

import { execFile } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import type { Lack } from "./server";

// It names no module of ours, so that nothing of the environment is run; see `LAUNCH` for the first line.
const PROBE = `import sys; sys.path = [each for each in sys.path if each]
from importlib.util import find_spec
print("lacks", next((name for name in ("jaxlint", "pygls") if find_spec(name) is None), "nothing"))`;
const PATIENCE = 20_000; // milliseconds; a first start from a network drive takes long

export function isProgram(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return path.isAbsolute(file) && fs.statSync(file).isFile();
  } catch {
    return false;
  }
}

/** The program of a name on the `PATH`. Entries that are relative to the working directory do not count. */
export function onPath(name: string, env: NodeJS.ProcessEnv = process.env): string | undefined {
  const listed = (env["PATH"] ?? env["Path"] ?? "").split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  const file = process.platform === "win32" ? `${name}.exe` : name;
  return listed.map((folder) => path.join(folder, file)).find(isProgram);
}

/** What an interpreter lacks to run the server. */
export function lacks(python: string): Promise<Lack> {
  return new Promise((resolve) => {
    if (!isProgram(python)) {
      resolve("everything");
      return;
    }
    execFile(python, ["-c", PROBE], { timeout: PATIENCE }, (error, output) => {
      const said = /^lacks (jaxlint|pygls|nothing)\s*$/m.exec(output)?.[1];
      resolve(error === null && said !== undefined ? (said as Lack) : "everything");
    });
  });
}
