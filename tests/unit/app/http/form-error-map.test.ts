/** Messages about a form's fields: no page shows the schema library's own English, whatever the input. */
import { parseWithZod } from "@conform-to/zod/v4";
import { expect, test } from "vitest";
import { z } from "zod";
import * as accountSchemas from "#app/forms/account-schema.ts";
import * as schemas from "#app/forms/schemas.ts";
import { formErrorMap } from "#app/http/form-error-map.ts";
import { fieldNamesOf } from "#app/http/form-fields.ts";
import { english, translate } from "#server/foundation/languages/text.ts";

function problemsOf(schema: z.ZodType, fields: Record<string, string>): [field: string, problem: string][] {
  const { error } = parseWithZod(new URLSearchParams(fields), { schema, error: formErrorMap }).reply();
  return Object.entries(error ?? {}).flatMap(([field, found]) =>
    (found ?? []).map((problem): [string, string] => [field, problem]),
  );
}

test.each([
  ["nothing", "", "This is required.", "यह भरना ज़रूरी है।"],
  ["a text that is too long", "123456", "Use 5 characters or fewer.", "ज़्यादा से ज़्यादा 5 अक्षर लिखें।"],
  ["letters for digits", "a", "This isn't in the expected format.", "यह सही फ़ॉर्मैट में नहीं है।"],
])("translates the problem of %s for a field without its own message", (_what, code, inEnglish, inHindi) => {
  const schema = z.object({ code: z.string().max(5).regex(/^\d*$/) });
  const [[, problem] = ["", ""]] = problemsOf(schema, { code });
  expect([english(problem), translate("hi", problem)]).toEqual([inEnglish, inHindi]);
});

/** Fields with messages of the family's own domain rules. */
const ofFamilies = new Set(["domain", "prefix"]);
const forms = Object.entries<unknown>({ ...accountSchemas, ...schemas }).flatMap(([name, schema]) =>
  schema instanceof z.ZodType && isForm(schema) ? [{ name, schema }] : [],
);

function isForm(schema: z.ZodType): boolean {
  try {
    return fieldNamesOf(schema).size > 0;
  } catch {
    return false;
  }
}

test.each(forms)("$name: refuses any input in Hindi", ({ schema }) => {
  const intents = ["", "new", "invite", "account", "choose-address", "code", "login", "use-address"];
  for (const value of ["", "x", "0", "x".repeat(10_000)]) {
    for (const intent of intents) {
      const posted = Object.fromEntries([...fieldNamesOf(schema)].map((field) => [field, value]));
      for (const [field, problem] of problemsOf(schema, { ...posted, intent })) {
        if (!ofFamilies.has(field)) expect(translate("hi", problem), field).toMatch(/[\u0900-\u097f]/);
      }
    }
  }
});
