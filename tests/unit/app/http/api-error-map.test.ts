/** Messages about the fields of a call are written for people: none of the schema library's own texts appear. */
import { expect, test } from "vitest";
import { listEndpoints } from "#app/api/shared/list-endpoints.ts";
import { parseOr400, z } from "#app/api/shared/route.ts";
import { DomainError } from "#server/foundation/errors.ts";
import { english } from "#server/foundation/languages/text.ts";

function refusalOf(schema: z.ZodType, input: unknown): Record<string, string> {
  try {
    parseOr400(schema, input);
  } catch (error) {
    if (error instanceof DomainError) {
      const fields = Object.entries(error.fields ?? {});
      return Object.fromEntries(fields.map(([name, message]) => [name, english(message)]));
    }
    throw error;
  }
  return {};
}

const schema = z.object({
  term: z.enum(["P1Y", "P1M"]),
  name: z.string().max(5),
  id: z.uuid(),
  seats: z.int().min(1).max(300),
  kind: z.literal("ADD"),
  code: z.string().regex(/^\d+$/),
  either: z.union([z.boolean(), z.number()]),
  own: z.string({ error: "Please choose a plan." }),
});

test.each([
  ["nothing", { term: undefined }, "term", "This must be one of P1Y, P1M."],
  ["nothing where a text belongs", { name: undefined }, "name", "This is required."],
  ["a number for a text", { name: 7 }, "name", "This must be text."],
  ["a text that is too long", { name: "longer" }, "name", "Use 5 characters or fewer."],
  ["text that is not an ID", { id: "7" }, "id", "This isn't a valid ID."],
  ["a fraction of a seat", { seats: 1.5 }, "seats", "This must be a whole number."],
  ["too few", { seats: 0 }, "seats", "This must be at least 1."],
  ["too many", { seats: 301 }, "seats", "This must be 300 or less."],
  ["another kind", { kind: "NEW" }, "kind", "This must be ADD."],
  ["letters for digits", { code: "a" }, "code", "This isn't in the expected format."],
  ["neither", { either: "x" }, "either", "This isn't in the expected format."],
  ["nothing, for a field with its own message", { own: undefined }, "own", "Please choose a plan."],
])("%s: returns a message for people", (_what, wrong, field, words) => {
  const right = { term: "P1Y", name: "a", id: crypto.randomUUID(), seats: 1, kind: "ADD", code: "1" };
  expect(refusalOf(schema, { ...right, either: true, own: "x", ...wrong })).toEqual({ [field]: words });
});

/** Default messages and patterns of zod. */
const libraryWords =
  /Invalid (input|option|string|UUID|email|ISO)|expected (?!format)|received|must match pattern|Too (big|small)/;

test.each(listEndpoints())(
  "$call.method $path refuses malformed input with messages for people",
  ({ call }) => {
    const names = call.input instanceof z.ZodObject ? Object.keys(call.input.shape) : [];
    const inputs = [null, true, -1, 1.5, "x".repeat(10_000), {}, []].map((value) =>
      Object.fromEntries(names.map((name) => [name, value])),
    );
    for (const input of [{}, null, [], ...inputs]) {
      for (const [field, words] of Object.entries(refusalOf(call.input, input))) {
        if (words.startsWith("This isn't in the expected format")) continue;
        expect(words, field).not.toMatch(libraryWords);
      }
    }
  },
);
