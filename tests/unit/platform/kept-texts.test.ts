/** Nested messages, and stored messages in each language. */
import { expect, test } from "vitest";
import { toStoredMessage, translateStored } from "#server/foundation/languages/stored-messages.ts";
import { english, msg, schemaMessage, textIn, translate } from "#server/foundation/languages/text.ts";

const hindi = textIn("hi");
const domainChanged = msg("families.domainChanged", { domain: "acme.com" });
const changed = msg("families.changed", { what: domainChanged });
const together = msg("families.movesTogether", { all: ["Starter", "Plus", "Vault"], plan: "Starter" });

test("translates a message inside another into the same language", () => {
  expect(english(changed)).toBe(
    "Google's records for acme.com have changed, and so has the price. You have not been charged. Please check the first step again.",
  );
  const what = hindi("families.domainChanged", { domain: "acme.com" });
  expect(translate("hi", changed)).toBe(hindi("families.changed", { what }));
});

test("lists names as each language does", () => {
  expect(english(together)).toMatch(/^This token transfers Starter, Plus and Vault together/);
  expect(translate("hi", together)).toContain("Starter, Plus, और Vault");
});

test("keeps nested messages and lists in a schema's problem", () => {
  const problem = schemaMessage("families.changed", { what: domainChanged });
  expect(translate("hi", problem)).toBe(translate("hi", changed));
  expect(english(schemaMessage("families.movesTogether", { all: ["A", "B"], plan: "A" }))).toContain(
    "A and B",
  );
});

test.each([changed, together, msg("families.underReview")])(
  "reads a stored message in each language",
  (sentence) => {
    const kept = toStoredMessage(sentence);
    expect(kept.text).toBe(english(sentence));
    expect(translateStored("en", kept)).toBe(english(sentence));
    expect(translateStored("hi", kept)).toBe(translate("hi", sentence));
  },
);

test("reads the plain texts of earlier versions unchanged", () => {
  expect(translateStored("hi", { text: "It waits." })).toBe("It waits.");
});

test("reads a stored message that was renamed since in English", () => {
  const kept = toStoredMessage(changed);
  const message = kept.message.replace("families.changed", "families.gone");
  expect(translateStored("hi", { ...kept, message })).toBe(kept.text);
});
