/** The inventory of logs (docs/operate/logs.md) names what the code logs about attackers: every outcome, message and field. */
import { describe, expect, test } from "vitest";
import { refusalOutcomes } from "#server/foundation/errors.ts";
import { filesUnder, textOf } from "#tests/support/tree.ts";

const inventory = textOf("docs/operate/logs.md");
const sources = [...filesUnder("app", /\.tsx?$/), ...filesUnder("server", /\.ts$/)].map(textOf).join("\n");

/** Lists the first cells of the table below a heading. */
function firstCells(heading: string): string[] {
  const [, section = ""] = inventory.split(`## ${heading}\n`);
  const [own = ""] = section.split("\n## ");
  return [...own.matchAll(/^\| (`.+?) +\|/gm)].map(([, cell = ""]) => cell);
}
const wordsIn = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, word = ""]) => word);

describe("the inventory of logs", () => {
  test("lists every outcome of a refusal, and no other", () => {
    const [, ...listed] = firstCells("Outcomes of refusals").flatMap(wordsIn);
    expect(listed.sort()).toEqual([...refusalOutcomes].sort());
  });

  test("lists only outcomes that the code logs", () => {
    for (const outcome of refusalOutcomes) expect(sources, outcome).toContain(`outcome: "${outcome}"`);
  });

  test("lists only messages that the code logs", () => {
    const [, ...messages] = firstCells("Fields").flatMap(wordsIn);
    expect(messages).toContain("session started");
    for (const message of messages) expect(sources, message).toContain(`"${message}"`);
  });

  test("lists every message of a refusal", () => {
    const refusals = [...sources.matchAll(/logRefusal\([^;]*?"([^"]+)"\);/g)].map(([, said]) => said);
    expect(new Set(refusals).size).toBe(4);
    for (const said of refusals) expect(inventory).toContain(`\`${said}\``);
  });

  test("lists the fields of an access line", () => {
    const [, facts = ""] =
      /const facts = \{([^}]+)\};/.exec(textOf("server/foundation/web/preload.ts")) ?? [];
    const fields = [...facts.matchAll(/^\s+(\w+)/gm)].map(([, name = ""]) => name);
    expect(fields).toContain("network");
    const row = inventory.split("\n").find((line) => line.startsWith("| `request` ")) ?? "";
    for (const field of fields) expect(wordsIn(row)).toContain(field);
  });

  test("appears on the operators' first page, and demands 180 days of retention", () => {
    expect(textOf("docs/operate/README.md")).toContain("[logs.md](logs.md)");
    expect(inventory).toContain("180 days");
  });
});
