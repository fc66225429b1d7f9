/** What is installed is what was locked: every package has its hash, and none names a host of its own. */
import { expect, test } from "vitest";
import { z } from "zod";
import { textOf } from "#tests/support/tree.ts";

const entry = z.object({
  integrity: z.string().optional(),
  resolved: z.string().optional(),
  link: z.boolean().optional(),
  dev: z.boolean().optional(),
  optional: z.boolean().optional(),
  os: z.array(z.string()).optional(),
});
const lock = z
  .object({ packages: z.record(z.string(), entry) })
  .parse(JSON.parse(textOf("package-lock.json")));
/** All but the project itself. */
const packages = Object.entries(lock.packages).filter(([name]) => name !== "");

/**
 * Binaries of the build's tools for systems other than the one the lock was written on, which the registry it was written from did
 * not have, and so had no hash for. None is part of what runs. No other may be without one.
 */
const ofOtherSystems = /^node_modules\/(@biomejs\/cli|@rollup\/rollup|@tailwindcss\/oxide)-/;

test("every package of the lock file has a hash, so that no other can come in its place", () => {
  expect(packages.length).toBeGreaterThan(500);
  const bare = packages.filter(([, { integrity = "" }]) => !/^sha512-[\w+/]{86}==( |$)/.test(integrity));
  const excused = bare.filter(
    ([name, { dev, optional, os }]) =>
      ofOtherSystems.test(name) && dev === true && optional === true && os !== undefined,
  );
  expect(bare.filter((each) => !excused.includes(each)).map(([name]) => name)).toEqual([]);
});

test("no package of the lock file names where it comes from: each is asked of the registry that npm is set to", () => {
  const elsewhere = packages.filter(([, { resolved, link }]) => link === true || resolved !== undefined);
  expect(elsewhere.map(([name, { resolved }]) => `${name}: ${resolved}`)).toEqual([]);
});
