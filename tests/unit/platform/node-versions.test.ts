/** Every file names the same Node version for production. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { projectFolder } from "#sandbox/local/install.mjs";

const read = (file: string) => readFileSync(path.join(projectFolder, file), "utf8");
const deployment = "docs/operate/reference-deployment";
const production = read(".nvmrc").trim();

test.each([
  [`${deployment}/Dockerfile`, /FROM node:(\d+)/g],
  [`${deployment}/store-web.service`, /# Node (\d+)/g],
  [`${deployment}/store-worker.service`, /# Node (\d+)/g],
  ["docs/operate/deploy.md", /Node (\d+) for every process/g],
  ["README.md", /production runs Node (\d+)/g],
])("%s names the version of .nvmrc", (file, version) => {
  const named = [...read(file).matchAll(version)].map(([, number]) => number);
  expect(new Set(named)).toEqual(new Set([production]));
});
