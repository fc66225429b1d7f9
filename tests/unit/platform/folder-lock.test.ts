import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { lockFolder } from "#sandbox/local/folder-lock.ts";

let parent: string;
let folder: string;
beforeEach(() => {
  parent = mkdtempSync(path.join(tmpdir(), "hubs-lock-"));
  folder = path.join(parent, "data");
});
afterEach(() => rmSync(parent, { recursive: true }));

test("locks a folder for one process until its release", () => {
  const unlock = lockFolder(folder);
  expect(() => lockFolder(folder)).toThrow("already open in this process");
  unlock();
  lockFolder(folder)();
  expect(existsSync(`${folder}.lock`)).toBe(false);
});

test("refuses a folder that another living process has locked", () => {
  const stat = lockFileOf(process.ppid);
  if (stat === null) return;
  writeFileSync(`${folder}.lock`, stat);
  expect(() => lockFolder(folder)).toThrow(`in use by process ${process.ppid}`);
});

test.each([
  ["a process that is gone", "4194305 1"],
  ["an earlier process with the number of a living one", `${process.ppid} 1`],
  ["nothing at all", ""],
])("replaces the lock of %s", (_owner, text) => {
  writeFileSync(`${folder}.lock`, text);
  lockFolder(folder)();
});

/** The lock file that the parent process would write; null except on Linux. */
function lockFileOf(pid: number): string | null {
  if (!existsSync("/proc/self/stat")) return null;
  const other = path.join(parent, "other");
  lockFolder(other);
  const mine = readFileSync(`${other}.lock`, "utf8");
  const startedAt = (of: number | string) => {
    const text = readFileSync(`/proc/${of}/stat`, "utf8");
    return text.slice(text.lastIndexOf(")") + 2).split(" ")[19];
  };
  expect(mine).toBe(`${process.pid} ${startedAt("self")}`);
  return `${pid} ${startedAt(pid)}`;
}
