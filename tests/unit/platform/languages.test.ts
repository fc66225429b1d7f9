/** Every language has every message, with the same arguments and tags, and browsers format them as the server does. */
import { IntlMessageFormat } from "intl-messageformat";
import { describe, expect, test } from "vitest";
import { interpolate } from "#app/ui/text.tsx";
import { localisedCountryText } from "#server/foundation/countries/registry.ts";
import { browserMessages } from "#server/foundation/languages/browser-namespaces.ts";
import {
  languageIds,
  languages,
  messagesByKey,
  preferredLanguage,
  standardLanguage,
} from "#server/foundation/languages/language.ts";
import {
  english,
  msg,
  schemaMessage,
  serializeMessage,
  textIn,
  translate,
} from "#server/foundation/languages/text.ts";
import { filesUnder, textOf } from "#tests/support/tree.ts";

const standard = messagesByKey[standardLanguage];

/** Lists the names of all arguments, at any depth, with the type of each. */
function argumentsOf(message: string): string[] {
  const found = new Set<string>();
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) for (const part of value) walk(part);
    else if (typeof value === "object" && value !== null) {
      const { type, value: name } = { type: undefined, value: undefined, ...value };
      if (typeof type === "number" && type >= 1 && type <= 6 && typeof name === "string")
        found.add(`${name}:${type}`);
      for (const part of Object.values(value)) walk(part);
    }
  };
  walk(new IntlMessageFormat(message, "en", undefined, { ignoreTag: true, captureLocation: false }).getAst());
  return [...found].sort();
}

/** Argument values that contain the syntax of messages. */
const valuesFor = (message: string) =>
  Object.fromEntries(
    argumentsOf(message).map((argument) => {
      const [name = "", type] = argument.split(":");
      return [name, type === "1" ? `‹${name}› {x} $1 $&` : 2];
    }),
  );

test.each(languageIds)("formats every message in %s as ICU does", (id) => {
  // `textIn` accepts only known keys, which `Object.entries` does not preserve.
  const say = (key: string, values: Record<string, string | number>) =>
    Reflect.apply(textIn(id), null, [key, values]);
  for (const [key, message = ""] of Object.entries(messagesByKey[id])) {
    if (argumentsOf(message).some((argument) => /:[34]$/.test(argument))) continue;
    const values = valuesFor(message);
    const format = new IntlMessageFormat(message, id, undefined, { ignoreTag: true });
    expect(say(key, values), key).toBe(String(format.format(values)));
  }
});

test("refuses a message without one of its arguments", () => {
  expect(() => translate(standardLanguage, { key: "quotes.openNumbered", values: {} })).toThrow(
    /quotes\.openNumbered.*number/,
  );
});

const tagsIn = (message: string) => [...message.matchAll(/<\/?\w+>/g)].map(([tag]) => tag).sort();

describe.each(languageIds.filter((id) => id !== standardLanguage))("%s", (id) => {
  test.each(Object.entries(messagesByKey[id]))("%s", (key, message = "") => {
    const original = standard[key] ?? "";
    expect(message.trim()).not.toBe("");
    expect(argumentsOf(message)).toEqual(argumentsOf(original));
    expect(tagsIn(message)).toEqual(tagsIn(original));
  });

  test("contains every message of English", () => {
    expect(Object.keys(messagesByKey[id])).toEqual(Object.keys(standard));
  });
});

test.each(
  languageIds.flatMap((id) =>
    Object.entries(browserMessages(id)).map(([key, message]) => ({ id, key, message })),
  ),
)("formats $key in $id in a browser as on the server", ({ id, message = "" }) => {
  const names = [...message.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  expect(argumentsOf(message)).toEqual([...new Set(names)].sort().map((name) => `${name}:1`));
  const values = Object.fromEntries(names.map((name) => [name, `‹${name}›`]));
  const onServer = new IntlMessageFormat(message, id, undefined, { ignoreTag: true }).format(values);
  expect(interpolate(message, values)).toBe(onServer);
});

/** Message for a country that is not added yet: docs/extend/country.md. */
const forRecipes = ["fields.ofCountry"];

test("uses every message", () => {
  const code = [
    ...filesUnder("app", /\.tsx?$/),
    ...filesUnder("server", /\.ts$/),
    ...filesUnder("db", /\.ts$/),
  ]
    .filter((file) => !/languages\/(english|hindi)\//.test(file))
    .map(textOf)
    .join("\n");
  const unsaid = Object.keys(standard).filter(
    (key) => !code.includes(`"${key}"`) && !code.includes(`\`${key.split(".")[0]}.$`),
  );
  expect(unsaid).toEqual(forRecipes);
});

test("chooses the best available language for a browser", () => {
  expect(preferredLanguage(null)).toBe("en");
  expect(preferredLanguage("hi-IN,hi;q=0.9,en;q=0.8")).toBe("hi");
  expect(preferredLanguage("en-IN,en;q=0.9,hi;q=0.5")).toBe("en");
  expect(preferredLanguage("fr")).toBe("en");
  expect(preferredLanguage("*")).toBe("en");
  expect(preferredLanguage(";;q=,")).toBe("en");
});

test("translates a refusal into any language, and into English for calls and logs", () => {
  const refusal = msg("shell.skip");
  for (const id of languageIds) {
    expect(translate(id, refusal)).toBe(languages[id].messages.shell.skip);
    expect(translate(id, schemaMessage("shell.skip"))).toBe(textIn(id)("shell.skip"));
  }
  expect(english(refusal)).toBe("Skip to main content");
  expect(english("a vendor's own words")).toBe("a vendor's own words");
});

test("accepts messages, localised words and lists of them as arguments", () => {
  const [india, usa] = [localisedCountryText("IN", "inSentence"), localisedCountryText("US", "inSentence")];
  const refusal = msg("refusals.notOpenYet", { family: "brio", country: usa, countries: [india, usa] });
  expect(english(refusal)).toBe("We don't sell brio in the USA yet. We sell it in India and the USA today.");
  expect(translate("hi", refusal)).toContain("भारत और अमेरिका");
  const nested = msg("refusals.full", { has: msg("refusals.has", { name: "A", count: 1 }), room: "none" });
  expect(english(nested)).toBe("A has 1 license: none.");
  for (const each of [refusal, nested]) {
    for (const id of languageIds) expect(translate(id, serializeMessage(each))).toBe(translate(id, each));
  }
});

test("shows the stored English of a message that this version does not know", () => {
  const stored = serializeMessage(msg("shell.skip")).replace("shell.skip", "shell.gone");
  expect(translate("hi", stored)).toBe("Skip to main content");
  for (const text of ["", "\u001eanother program's text", '\u001e{"key":"shell.skip"}'])
    expect(translate("hi", text)).toBe(text);
});
