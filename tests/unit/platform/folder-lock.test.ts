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

test("a folder is one process's until it is given free", () => {
  const unlock = lockFolder(folder);
  expect(() => lockFolder(folder)).toThrow("already open in this process");
  unlock();
  lockFolder(folder)();
  expect(existsSync(`${folder}.lock`)).toBe(false);
});

test("another living process keeps its folder", () => {
  const stat = lockFileOf(process.ppid);
  if (stat === null) return;
  writeFileSync(`${folder}.lock`, stat);
  expect(() => lockFolder(folder)).toThrow(`in use by process ${process.ppid}`);
});

test.each([
  ["a process that is gone", "4194305 1"],
  ["an earlier process with the number of a living one", `${process.ppid} 1`],
  ["nothing at all", ""],
])("the lock of %s is taken over", (_owner, text) => {
  writeFileSync(`${folder}.lock`, text);
  lockFolder(folder)();
});

/** What the parent process would have written; only Linux tells. */
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
