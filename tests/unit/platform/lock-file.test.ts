/** What is installed is what was locked: every package has its hash, and none names a host of its own. */
import { expect, test } from "vitest";
import { z } from "zod";
import { textOf } from "#tests/support/tree.ts";

const entry = z.object({
  integrity: z.string().optional(),
  resolved: z.string().optional(),
  link: z.boolean().optional(),
});
const lock = z
  .object({ packages: z.record(z.string(), entry) })
  .parse(JSON.parse(textOf("package-lock.json")));
/** All but the project itself. */
const packages = Object.entries(lock.packages).filter(([name]) => name !== "");

test("names an integrity hash for every package, those of other platforms included", () => {
  expect(packages.length).toBeGreaterThan(500);
  const bare = packages.filter(([, { integrity = "" }]) => !/^sha512-[\w+/]{86}==( |$)/.test(integrity));
  expect(bare.map(([name]) => name)).toEqual([]);
});

test("no package of the lock file names where it comes from: each is asked of the registry that npm is set to", () => {
  const elsewhere = packages.filter(([, { resolved, link }]) => link === true || resolved !== undefined);
  expect(elsewhere.map(([name, { resolved }]) => `${name}: ${resolved}`)).toEqual([]);
});
