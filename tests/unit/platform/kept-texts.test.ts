/** Messages inside of messages, and sentences that are stored: what is read of them later, in each language. */
import { expect, test } from "vitest";
import { keep, tellKept } from "#server/languages/kept.ts";
import { english, issue, tell, textIn, told } from "#server/languages/text.ts";

const hindi = textIn("hi");
const domainChanged = told("families.domainChanged", { domain: "acme.com" });
const changed = told("families.changed", { what: domainChanged });
const together = told("families.movesTogether", { all: ["Starter", "Plus", "Vault"], plan: "Starter" });

test("a message is said in the language of the one that it is put into", () => {
  expect(english(changed)).toBe(
    "What Google has of acme.com has changed, and so has the price. You have not been charged. Please check the first step again.",
  );
  const what = hindi("families.domainChanged", { domain: "acme.com" });
  expect(tell("hi", changed)).toBe(hindi("families.changed", { what }));
});

test("names are listed as each language lists them", () => {
  expect(english(together)).toMatch(/^This token moves Starter, Plus and Vault together/);
  expect(tell("hi", together)).toContain("Starter, Plus, और Vault");
});

test("a problem of a schema may hold both", () => {
  const problem = issue("families.changed", { what: domainChanged });
  expect(tell("hi", problem)).toBe(tell("hi", changed));
  expect(english(issue("families.movesTogether", { all: ["A", "B"], plan: "A" }))).toContain("A and B");
});

test.each([changed, together, told("families.underReview")])(
  "what is kept is read in each language",
  (sentence) => {
    const kept = keep(sentence);
    expect(kept.text).toBe(english(sentence));
    expect(tellKept("en", kept)).toBe(english(sentence));
    expect(tellKept("hi", kept)).toBe(tell("hi", sentence));
  },
);

test("what earlier versions have kept is read as it is", () => {
  expect(tellKept("hi", { text: "It waits." })).toBe("It waits.");
});

test("a message that was renamed since is read in English", () => {
  const kept = keep(changed);
  const message = kept.message.replace("families.changed", "families.gone");
  expect(tellKept("hi", { ...kept, message })).toBe(kept.text);
});
