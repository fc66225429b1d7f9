/** Default error messages for call fields whose schema has none, written for the end user. */
import type { z } from "zod";

const kinds: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

/** Pass it to `safeParse`, which consults it only where the schema has no message. */
export const apiErrorMap: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined || issue.input === null
        ? "This is required."
        : `This must be ${kinds[issue.expected] ?? issue.expected}.`;
    case "invalid_value":
      return issue.values.length === 1
        ? `This must be ${String(issue.values[0])}.`
        : `This must be one of ${issue.values.map(String).join(", ")}.`;
    case "too_big":
      return issue.origin === "string"
        ? `Use ${issue.maximum} characters or fewer.`
        : `This must be ${issue.maximum} or less.`;
    case "too_small":
      return issue.origin === "string" && Number(issue.minimum) === 1
        ? "This is required."
        : `This must be at least ${issue.minimum}.`;
    case "invalid_format":
      return formats[issue.format] ?? "This isn't in the expected format.";
    case "unrecognized_keys":
      return `Unknown fields: ${issue.keys.join(", ")}.`;
    default:
      return "This isn't in the expected format.";
  }
};

const formats: Readonly<Record<string, string>> = {
  email: "Please enter a valid email",
  uuid: "This isn't a valid ID.",
  datetime: "This must be a date and time, such as 2026-03-31T18:30:00Z.",
};
