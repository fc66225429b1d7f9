/**
 * Filters posted forms before the parser sees them. The parser builds arrays and objects out of field names and obeys two
 * reserved names (`a[60000000]` exhausted memory, `__intent__` made it fail), so it only receives names in the form's schema.
 */
import { z } from "zod";
import * as core from "zod/v4/core";
import { plainDigits } from "#server/foundation/digits.ts";
import { DomainError } from "#server/foundation/errors.ts";
import { type MessageDescriptor, msg } from "#server/foundation/languages/text.ts";
import { cleanField, unstorableTextMessage } from "./storable-text.ts";

const unexpected = msg("errors.unexpectedForm");
const repeated = msg("errors.repeatedAnswer");

/** A name without meaning to the parser. Browser extensions add such fields. They are dropped without an error. */
const harmless = /^(?!__)[\w-]{1,100}$/;

/** Numbers, and codes that contain digits. Accepts the digits of any script in them; other text stays as typed. */
const withDigits: ReadonlySet<string> = new Set([
  "code",
  "gst_code",
  "gstin",
  "organisationRegistrationNumber",
  "phoneNumber",
  "pincode",
  "quantity",
  "seats",
]);

const known = new WeakMap<core.$ZodType, ReadonlySet<string>>();

/**
 * The names of all fields in a form's schema, across all its variants.
 * @throws TypeError for a schema that is not made of objects, and so cannot be a form's
 */
export function fieldNamesOf(schema: core.$ZodType): ReadonlySet<string> {
  const names = known.get(schema) ?? new Set(namesIn(schema));
  known.set(schema, names);
  return names;
}

function namesIn(schema: core.$ZodType): string[] {
  if (schema instanceof core.$ZodObject) return Object.keys(schema._zod.def.shape);
  if (schema instanceof core.$ZodUnion) return schema._zod.def.options.flatMap(namesIn);
  if (schema instanceof core.$ZodIntersection) {
    return [schema._zod.def.left, schema._zod.def.right].flatMap(namesIn);
  }
  if (schema instanceof core.$ZodPipe) {
    const { in: first, out } = schema._zod.def;
    return namesIn(first instanceof core.$ZodTransform ? out : first);
  }
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return namesIn(schema.unwrap());
  throw new TypeError(`A form's schema is made of objects, not of "${schema._zod.def.type}"`);
}

/**
 * Separates a form's fields from anything else in the post, in linear time.
 * @returns the fields, each once, cleaned (clean-text.ts), with plain digits in numbers, and why the form is refused, or null
 */
export function takeFields(
  posted: URLSearchParams,
  schema: core.$ZodType,
): { fields: URLSearchParams; refusal: DomainError | null } {
  const names = fieldNamesOf(schema);
  const fields = new URLSearchParams();
  const unclean: Record<string, MessageDescriptor> = {};
  let wrong: MessageDescriptor | null = null;
  for (const [name, value] of posted) {
    if (!names.has(name)) {
      if (!harmless.test(name)) wrong = unexpected;
    } else if (fields.has(name)) {
      wrong ??= repeated;
    } else {
      const { text, isRefused } = cleanField(name, withDigits.has(name) ? plainDigits(value) : value);
      fields.set(name, text);
      if (isRefused) unclean[name] = unstorableTextMessage;
    }
  }
  if (wrong !== null) return { fields, refusal: new DomainError("bad_request", wrong) };
  if (Object.keys(unclean).length === 0) return { fields, refusal: null };
  return { fields, refusal: new DomainError("bad_request", unstorableTextMessage, { fields: unclean }) };
}
