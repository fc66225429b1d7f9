/**
 * The previous release, built in a separate folder: the version that serves while a store is upgraded. The newest tag; without
 * one, the newest commit of this branch that can be built and whose database this release can migrate. `DRILL_FROM` names
 * another.
 */
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { projectFolder } from "#server/operations/built-commands.mjs";
import { databaseOn, dropDatabase, onServer, type Template } from "./template.ts";

export interface PreviousRelease {
  /** A tag or a commit. */
  name: string;
  /** Folder of its sources and its build. */
  folder: string;
  /** A database as its migrations leave it, with the test catalogue. */
  template: Template;
  remove(): Promise<void>;
}

/** Number of commits to try: a commit in the middle of some work might not build. */
const mostTried = 8;

/** @param adminUrl of a PostgreSQL. @throws Error when it cannot be built */
export async function buildPreviousRelease(adminUrl: string): Promise<PreviousRelease> {
  const names = candidates();
  for (const [index, name] of names.entries()) {
    try {
      return await buildRelease(adminUrl, name);
    } catch (error) {
      if (index === names.length - 1) throw error;
    }
  }
  throw new Error("There is no release before this one");
}

async function buildRelease(adminUrl: string, name: string): Promise<PreviousRelease> {
  const folder = mkdtempSync(path.join(tmpdir(), "hubs-release-"));
  const database = `hubs_release_${randomBytes(5).toString("hex")}`;
  const remove = async () => {
    // Copies have names that begin with the template's.
    const copies = await onServer(
      adminUrl,
      `select datname from pg_database where starts_with(datname, '${database}')`,
    );
    for (const { datname } of copies) await dropDatabase(adminUrl, datname);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const sources = execFileSync("git", ["archive", name], { cwd: projectFolder, maxBuffer: 2 ** 30 });
    execFileSync("tar", ["-x", "-C", folder], { input: sources });
    // Uses this release's packages: a release that needs others has to be built manually, and named in DRILL_FROM.
    symlinkSync(path.join(projectFolder, "node_modules"), path.join(folder, "node_modules"));
    run(folder, "node_modules/.bin/remix", "vite:build", "--config", "remix.config.js");
    await onServer(adminUrl, `create database ${database}`);
    const prepare = ["--import", "tsx", "tests/support/prepare-database.ts"];
    run(folder, process.execPath, ...prepare, "--database", databaseOn(adminUrl, database));
  } catch (error) {
    await remove();
    throw error;
  }
  const template: Template = { folder, kind: "server", adminUrl, database };
  return { name, folder, template, remove };
}

/** Most likely first. */
function candidates(): string[] {
  const { DRILL_FROM: given } = process.env;
  if (given !== undefined) return [given];
  const [tag] = git("tag", "--sort=-creatordate").split("\n");
  if (tag !== undefined && tag !== "") return [tag];
  return git("log", "--first-parent", `-${mostTried}`, "--format=%H", beforeNewMigrations()).split("\n");
}

/**
 * The commit before the last one that added migrations later than all existing ones. Parallel work may have added an earlier
 * migration last, which no database can run.
 */
function beforeNewMigrations(): string {
  const now = migrationsAt("HEAD");
  const changes = git("log", "--first-parent", "--format=%H", "--", "migrations/");
  const before = changes.split("\n").map((commit) => `${commit}~1`);
  const found = before.find((commit) => {
    const had = migrationsAt(commit);
    return had.length < now.length && had.every((name, index) => name === now[index]);
  });
  if (found === undefined) throw new Error("No state of this branch can be upgraded from");
  return found;
}

/** Names of migrations, in the order in which they run. */
function migrationsAt(commit: string): string[] {
  return git("ls-tree", "--name-only", commit, "migrations/").split("\n").sort();
}

function git(...args: string[]): string {
  return execFileSync("git", args, { cwd: projectFolder, encoding: "utf8" }).trim();
}

/** Runs a program without the variables that would make the build one for tests. @throws Error with its output */
function run(folder: string, program: string, ...args: string[]): void {
  const env = { ...process.env };
  for (const name of ["VITEST", "NODE_ENV"]) Reflect.deleteProperty(env, name);
  try {
    execFileSync(program, args, { cwd: folder, env, encoding: "utf8", stdio: "pipe", maxBuffer: 2 ** 26 });
  } catch (error) {
    const said = error instanceof Error && "stderr" in error ? String(error.stderr).slice(-2_000) : "";
    throw new Error(`${program} ${args.join(" ")} in ${folder}: ${said}`, { cause: error });
  }
}
