/** Installed packages match the lock file: each has a hash, and none names its own host. */
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
/** Every package except the project itself. */
const packages = Object.entries(lock.packages).filter(([name]) => name !== "");

test("names an integrity hash for every package, those of other platforms included", () => {
  expect(packages.length).toBeGreaterThan(500);
  const bare = packages.filter(([, { integrity = "" }]) => !/^sha512-[\w+/]{86}==( |$)/.test(integrity));
  expect(bare.map(([name]) => name)).toEqual([]);
});

test("names no source of a package, so that npm uses its configured registry", () => {
  const elsewhere = packages.filter(([, { resolved, link }]) => link === true || resolved !== undefined);
  expect(elsewhere.map(([name, { resolved }]) => `${name}: ${resolved}`)).toEqual([]);
});
