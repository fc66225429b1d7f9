/** Setup of a fresh clone: installs and builds once, independent of the folder's path, and stops on a signal. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { projectFolder } from "#server/operations/built-commands.mjs";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "install-"));
  makeProject(path.join(folder, "project"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Creates a project with the files that the stamps cover, and an npm that logs its arguments. */
function makeProject(project: string): void {
  for (const part of ["sandbox/local", "app", "node_modules"])
    mkdirSync(path.join(project, part), { recursive: true });
  cpSync(
    path.join(projectFolder, "sandbox/local/install.mjs"),
    path.join(project, "sandbox/local/install.mjs"),
  );
  writeFileSync(path.join(project, "package.json"), '{"type":"module"}');
  writeFileSync(path.join(project, "package-lock.json"), "{}");
  writeFileSync(path.join(project, "app/page.ts"), "one");
  writeFileSync(
    path.join(folder, "npm.cjs"),
    `const { appendFileSync, mkdirSync, writeFileSync } = require("node:fs");
     appendFileSync(${JSON.stringify(path.join(folder, "asked"))}, process.argv.slice(2).filter((word) => !word.startsWith("-")).join(" ") + "\\n");
     mkdirSync("build/server", { recursive: true });
     writeFileSync("build/server/index.js", "");
     console.log("said by npm " + process.argv[2]);
     if (process.argv[2] === process.env.FAILING_NPM) process.exitCode = 1;
     if (process.env.SLOW_NPM) setTimeout(() => undefined, 60_000);`,
  );
}

const readInstalls = () =>
  existsSync(path.join(folder, "asked")) ? readFileSync(path.join(folder, "asked"), "utf8") : "";

function run(project: string, env: Record<string, string> = {}) {
  const script =
    'const i = await import("./sandbox/local/install.mjs"); await i.installIfNeeded(); await i.buildIfNeeded();';
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    cwd: project,
    env: { ...process.env, DATA_DIR: ".data", npm_execpath: path.join(folder, "npm.cjs"), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      said += chunk.toString();
    });
  return { child, ended: once(child, "close").then(([code]) => code), said: () => said };
}

test("repeats nothing for a moved project, and rebuilds a changed one", async () => {
  const project = path.join(folder, "project");
  expect(await run(project).ended).toBe(0);
  expect(readInstalls()).toBe("ci\nrun build\n");
  expect(await run(project).ended).toBe(0);
  const moved = path.join(folder, "elsewhere");
  renameSync(project, moved);
  expect(await run(moved).ended).toBe(0);
  expect(readInstalls()).toBe("ci\nrun build\n");
  writeFileSync(path.join(moved, "app/page.ts"), "two");
  expect(await run(moved).ended).toBe(0);
  expect(readInstalls()).toBe("ci\nrun build\nrun build\n");
});

test("keeps npm's output in a file, and prints it after a failure", async () => {
  const project = path.join(folder, "project");
  const failing = run(project, { FAILING_NPM: "run" });
  expect(await failing.ended).toBe(1);
  expect(failing.said()).not.toContain("said by npm ci");
  expect(failing.said()).toContain("said by npm run");
  const again = run(project);
  expect(await again.ended).toBe(0);
  expect(again.said()).not.toContain("said by npm");
  const log = (name: string) => readFileSync(path.join(project, `.data/logs/${name}.log`), "utf8");
  expect([log("install"), log("build")]).toEqual(["said by npm ci\n", "said by npm run\n"]);
});

test("stops on SIGTERM during the installation, without trying another way", async () => {
  const { child, ended } = run(path.join(folder, "project"), { SLOW_NPM: "1" });
  await expect.poll(readInstalls).toBe("ci\n");
  await sleep(200);
  child.kill("SIGTERM");
  expect(await ended).toBe(1);
  expect(readInstalls()).toBe("ci\n");
});
