/** Which program is the server: one that the settings name, or the one of an interpreter, or one on the `PATH`. */

export const INSTALL = 'python -m pip install "flake8-jaxlint[server]"';

/** What an interpreter lacks to run the server. */
export type Lack = "nothing" | "jaxlint" | "pygls" | "everything";

/** A command line that starts the server, and in words where it comes from. */
export interface Server {
  command: string;
  args: string[];
  origin: string;
}

/** Why there is no server, and a command that installs it where that would help. */
export interface Missing {
  reason: string;
  install?: string;
}

/** What is known when a server is looked for. Functions are asked only as far as they are needed. */
export interface Surroundings {
  /** The settings `jaxlint.path` and `jaxlint.interpreter`; empty where nobody has set them. */
  path: string;
  interpreter: string;
  /** Whether the user trusts the workspace, so that an interpreter of its own may be run. */
  trusted: boolean;
  isProgram(path: string): boolean;
  /** The interpreter that is selected in the Python extension. */
  selected(): Promise<string | undefined>;
  lacks(python: string): Promise<Lack>;
  onPath(): string | undefined;
}

/**
 * Python without its working directory on the import path: that is the workspace, which may have a module of any name.
 * `python -m jaxlint` would look there first.
 */
const LAUNCH = "import sys; sys.path = [each for each in sys.path if each]; from jaxlint.cli import command; command()";

export function isServer(found: Server | Missing): found is Server {
  return "command" in found;
}

export async function findServer(around: Surroundings): Promise<Server | Missing> {
  if (around.path) {
    return around.isProgram(around.path)
      ? { command: around.path, args: ["server"], origin: around.path }
      : { reason: `The setting jaxlint.path names ${around.path}, which is no program.` };
  }
  if (around.interpreter) {
    return ofInterpreter(around.interpreter, await around.lacks(around.interpreter));
  }
  const selected = around.trusted ? await around.selected() : undefined;
  const found = selected === undefined ? undefined : ofInterpreter(selected, await around.lacks(selected));
  if (found !== undefined && isServer(found)) return found;
  const program = around.onPath();
  if (program !== undefined) return { command: program, args: ["server"], origin: program };
  if (found !== undefined) return found;
  const reason = around.trusted
    ? "No interpreter is selected, and there is no jaxlint on the PATH."
    : "There is no jaxlint on the PATH. In a workspace that is not trusted its interpreter is not run.";
  return { reason, install: INSTALL };
}

function ofInterpreter(python: string, lack: Lack): Server | Missing {
  switch (lack) {
    case "nothing":
      return { command: python, args: ["-c", LAUNCH, "server"], origin: python };
    case "everything":
      return { reason: `${python} cannot be run as a Python interpreter.` };
    case "jaxlint":
      return { reason: `jaxlint is not installed in ${python}.`, install: installIn(python) };
    case "pygls":
      return { reason: `jaxlint in ${python} lacks its extra "server".`, install: installIn(python) };
  }
}

/** The command that installs the server into an interpreter, as a shell takes it. */
export function installIn(python: string): string {
  return INSTALL.replace(/^python/, () => (/\s/.test(python) ? `"${python}"` : python));
}
