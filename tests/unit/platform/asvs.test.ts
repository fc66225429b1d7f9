/** The OWASP ASVS 5.0.0 table is complete, and every file that it names exists. */
import { existsSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { projectFolder, textOf } from "#tests/support/tree.ts";

const table = textOf("docs/security/asvs.md");
const rows = [
  ...table.matchAll(/^\| (V\d+\.\d+\.\d+) +\| ([12]) +\| (\S[^|]*) +\| (\S[^|]*?) +\| (\S[^|]*?) +\|$/gm),
].map(([, id = "", level = "", , result = "", evidence = ""]) => ({ id, level, result, evidence }));

describe("the table of ASVS", () => {
  test("lists each requirement of level 1 and of level 2 once", () => {
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
    expect(rows.filter(({ level }) => level === "1")).toHaveLength(70);
    expect(rows.filter(({ level }) => level === "2")).toHaveLength(183);
  });

  test("counts its results correctly", () => {
    for (const level of ["1", "2"]) {
      const count = (result: string) =>
        rows.filter((row) => row.level === level && row.result === result).length;
      const counted = [count("holds"), count("partly"), count("does not hold")].join(" +\\| ");
      const others = `${count("operator's")}; ${count("not applicable")}`;
      expect(table).toMatch(new RegExp(`^\\| ${level} +\\| ${counted} +\\| ${others} `, "m"));
    }
  });

  test.each(rows)("$id has a known result, and evidence that exists", ({ result, evidence }) => {
    expect(["holds", "partly", "does not hold", "operator's", "not applicable"]).toContain(result);
    const files = [...evidence.matchAll(/`((?:app|db|docs|server|tests)\/[^`#]+)(?:#[^`]+)?`/g)].map(
      ([, file = ""]) => file,
    );
    expect(files.filter((file) => !existsSync(path.join(projectFolder, file)))).toEqual([]);
  });

  test("appears in SECURITY.md, which states how soon vulnerabilities are fixed", () => {
    const security = textOf("docs/SECURITY.md");
    expect(security).toContain("(security/asvs.md)");
    for (const period of ["48 hours", "7 days", "30 days"]) expect(security).toContain(period);
  });
});
