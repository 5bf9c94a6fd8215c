import * as assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { after, before, test } from "node:test";
import { isProgram, lacks, onPath } from "../src/programs";
import { findServer } from "../src/server";

const windows = process.platform === "win32";
const PYTHON = process.env["JAXLINT_TEST_PYTHON"]; // an interpreter that has jaxlint and pygls
let folder = "";

function program(name: string, text: string): string {
  const file = path.join(folder, name);
  fs.writeFileSync(file, text, { mode: 0o755 });
  return file;
}

before(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "jaxlint-test-"));
});

after(() => fs.rmSync(folder, { recursive: true }));

test("a program is a file that can be run and has an absolute path", { skip: windows }, () => {
  const file = program("jaxlint", "#!/bin/sh\n");
  assert.equal(isProgram(file), true);
  assert.equal(isProgram(folder), false);
  assert.equal(isProgram(path.join(folder, "none")), false);
  assert.equal(isProgram(path.relative(process.cwd(), file)), false);
});

test("entries of the PATH that are relative do not count", { skip: windows }, () => {
  const file = program("jaxlint", "#!/bin/sh\n");
  const relative = path.relative(process.cwd(), folder);
  assert.equal(onPath("jaxlint", { PATH: [relative, "", "."].join(path.delimiter) }), undefined);
  assert.equal(onPath("jaxlint", { PATH: ["/nowhere", folder].join(path.delimiter) }), file);
});

test("what is no Python lacks everything", { skip: windows }, async () => {
  assert.equal(await lacks(program("silent", "#!/bin/sh\n")), "everything");
  assert.equal(await lacks(program("failing", "#!/bin/sh\necho lacks nothing\nexit 3\n")), "everything");
  assert.equal(await lacks(path.join(folder, "none")), "everything");
});

test("an interpreter says what it lacks", { skip: windows }, async () => {
  assert.equal(await lacks(program("bare", "#!/bin/sh\necho lacks jaxlint\n")), "jaxlint");
  assert.equal(await lacks(program("chatty", "#!/bin/sh\necho welcome\necho lacks pygls\n")), "pygls");
});

test("a module of the workspace is not run in the place of jaxlint", { skip: PYTHON === undefined }, async () => {
  const workspace = path.join(folder, "workspace");
  fs.mkdirSync(path.join(workspace, "jaxlint"), { recursive: true });
  for (const name of ["jaxlint/__init__.py", "json.py", "typing.py"]) {
    fs.writeFileSync(path.join(workspace, name), "raise SystemExit('a file of the workspace was run')\n");
  }
  const python = PYTHON ?? "";
  const before = process.cwd();
  process.chdir(workspace);
  assert.equal(await lacks(python).finally(() => process.chdir(before)), "nothing");
  const found = await findServer({
    path: "",
    interpreter: python,
    trusted: false,
    isProgram,
    selected: async () => undefined,
    lacks,
    onPath: () => undefined,
  });
  assert.ok("command" in found);
  const run = spawnSync(found.command, [...found.args, "--help"], { cwd: workspace, encoding: "utf8" });
  assert.equal(run.status, 0, run.stderr);
  assert.match(run.stdout, /^usage: jaxlint server/);
});
