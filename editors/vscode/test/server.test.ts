import * as assert from "node:assert/strict";
import { test } from "node:test";
import { findServer, INSTALL, installIn, type Lack, type Surroundings } from "../src/server";

/** A machine with nothing on it, but for what is given. */
function machine(given: Partial<Surroundings> & { has?: Record<string, Lack> }): Surroundings {
  return {
    path: "",
    interpreter: "",
    trusted: true,
    isProgram: () => false,
    selected: async () => undefined,
    lacks: async (python) => given.has?.[python] ?? "everything",
    onPath: () => undefined,
    ...given,
  };
}

test("the setting path outranks everything", async () => {
  const around = machine({
    path: "/opt/jaxlint",
    interpreter: "/opt/python",
    isProgram: (file) => file === "/opt/jaxlint",
    has: { "/opt/python": "nothing" },
  });
  assert.deepEqual(await findServer(around), { command: "/opt/jaxlint", args: ["server"], origin: "/opt/jaxlint" });
  assert.deepEqual(await findServer({ ...around, path: "/opt/other" }), {
    reason: "The setting jaxlint.path names /opt/other, which is no program.",
  });
});

test("the setting interpreter outranks the selected one, and nothing stands in for it", async () => {
  const around = machine({
    interpreter: "/opt/python",
    selected: async () => "/env/python",
    has: { "/opt/python": "nothing", "/env/python": "nothing" },
    onPath: () => "/usr/bin/jaxlint",
  });
  const found = await findServer(around);
  assert.ok("command" in found && found.command === "/opt/python" && found.args[0] === "-c" && found.args[2] === "server");
  assert.deepEqual(await findServer({ ...around, lacks: async () => "jaxlint" }), {
    reason: "jaxlint is not installed in /opt/python.",
    install: '/opt/python -m pip install "flake8-jaxlint[server]"',
  });
});

test("the selected interpreter outranks the PATH where it has what the server needs", async () => {
  const around = machine({ selected: async () => "/env/python", has: { "/env/python": "nothing" }, onPath: () => "/bin/jaxlint" });
  assert.equal((await findServer(around) as { command: string }).command, "/env/python");
  for (const lack of ["jaxlint", "pygls", "everything"] as const) {
    const found = await findServer({ ...around, lacks: async () => lack });
    assert.deepEqual(found, { command: "/bin/jaxlint", args: ["server"], origin: "/bin/jaxlint" });
  }
});

test("in a workspace that is not trusted the selected interpreter is not even asked for", async () => {
  const around = machine({
    trusted: false,
    selected: () => assert.fail("it was asked for"),
    lacks: () => assert.fail("it was run"),
  });
  assert.match((await findServer(around) as { reason: string }).reason, /not trusted/);
  assert.equal((await findServer({ ...around, onPath: () => "/bin/jaxlint" }) as { command: string }).command, "/bin/jaxlint");
});

test("where there is no server, the message says how to install it", async () => {
  const nowhere = await findServer(machine({}));
  assert.deepEqual(nowhere, { reason: "No interpreter is selected, and there is no jaxlint on the PATH.", install: INSTALL });
  const lacking = await findServer(machine({ selected: async () => "/env/python", has: { "/env/python": "pygls" } }));
  assert.deepEqual(lacking, {
    reason: 'jaxlint in /env/python lacks its extra "server".',
    install: '/env/python -m pip install "flake8-jaxlint[server]"',
  });
  const broken = await findServer(machine({ selected: async () => "/env/python" }));
  assert.deepEqual(broken, { reason: "/env/python cannot be run as a Python interpreter." });
});

test("an interpreter with a space in its path is quoted", () => {
  assert.equal(installIn("C:\\Program Files\\python.exe"), '"C:\\Program Files\\python.exe" -m pip install "flake8-jaxlint[server]"');
});
