// Bundles the extension into `dist`, with the licenses of what is in the bundle; with `--tests` the tests into `out`.
import * as fs from "node:fs";
import * as path from "node:path";
import { build } from "esbuild";

const common = { bundle: true, platform: "node", target: "node20", format: "cjs", external: ["vscode"] };

/** The folders of the packages that a bundle contains. */
function packagesIn(inputs) {
  const found = new Set();
  for (const input of Object.keys(inputs)) {
    const inside = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input);
    if (inside) found.add(inside[1]);
  }
  return [...found].sort();
}

function licenses(packages) {
  return packages
    .map((folder) => {
      const { name, version } = JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8"));
      const file = fs.readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
      if (file === undefined) throw new Error(`${folder} has no license file`);
      return `${name} ${version}\n\n${fs.readFileSync(path.join(folder, file), "utf8").trim()}\n`;
    })
    .join(`\n${"-".repeat(80)}\n\n`);
}

if (process.argv.includes("--tests")) {
  const tests = fs.readdirSync("test").filter((name) => name.endsWith(".test.ts"));
  await build({ ...common, entryPoints: tests.map((name) => `test/${name}`), outdir: "out/test" });
} else {
  fs.rmSync("dist", { recursive: true, force: true });
  const { metafile } = await build({
    ...common,
    entryPoints: ["src/extension.ts"],
    outfile: "dist/extension.js",
    minify: true,
    metafile: true,
  });
  fs.writeFileSync("dist/licenses.txt", licenses(packagesIn(metafile.inputs)));
  fs.copyFileSync("../../LICENSE", "LICENSE");
}
