import * as assert from "node:assert/strict";
import { test } from "node:test";
import manifest from "../package.json";
import { asksForAllFixes, expanded, RESTARTING_SETTINGS, SERVER_SETTINGS, serverSettings } from "../src/settings";

const properties: Record<string, { default?: unknown }> = manifest.contributes.configuration.properties;

function given(values: Record<string, unknown>): { get(name: string): unknown } {
  return { get: (name) => (name in values ? values[name] : properties[`jaxlint.${name}`]?.default) };
}

test("settings that nobody has set leave pyproject.toml its say", () => {
  assert.deepEqual(serverSettings(given({})), {
    enable: true,
    debounce: 150,
    hover: true,
    inlayHints: false,
    plugins: false,
  });
});

test("settings go to the server under the names that it reads", () => {
  const told = serverSettings(given({ select: ["JAX1"], preview: false, targetJax: ">=0.5", path: "/bin/jaxlint" }));
  assert.deepEqual(told["select"], ["JAX1"]);
  assert.equal(told["preview"], false);
  assert.equal(told["targetJax"], ">=0.5");
  assert.equal("path" in told, false);
});

test("every setting of the manifest is for the server or for the extension", () => {
  const known = [...SERVER_SETTINGS, ...RESTARTING_SETTINGS, "fixAll", "trace.server"].map((name) => `jaxlint.${name}`);
  assert.deepEqual(Object.keys(properties).sort(), known.sort());
});

test("what a workspace names is not run before it is trusted", () => {
  const restricted = manifest.capabilities.untrustedWorkspaces.restrictedConfigurations;
  assert.deepEqual(restricted, ["jaxlint.path", "jaxlint.interpreter", "jaxlint.plugins"]);
});

test("paths are expanded", () => {
  assert.equal(expanded("~/env/bin/python", "/home/me", undefined), "/home/me/env/bin/python");
  assert.equal(expanded("${workspaceFolder}/.venv/bin/python", "/home/me", "/work/$&"), "/work/$&/.venv/bin/python");
  assert.equal(expanded("${workspaceFolder}/x", "/home/me", undefined), "${workspaceFolder}/x");
  assert.equal(expanded("/opt/~backup", "/home/me", undefined), "/opt/~backup");
  assert.equal(expanded("  ", "/home/me", "/work"), "");
});

test("a request for our own fixes is told from one for those of all extensions", () => {
  assert.equal(asksForAllFixes("source.fixAll"), true);
  assert.equal(asksForAllFixes("source.fixAll.jaxlint"), false);
  assert.equal(asksForAllFixes("quickfix"), false);
  assert.equal(asksForAllFixes(undefined), false);
});
