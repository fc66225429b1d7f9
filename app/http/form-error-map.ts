/** Default error messages for form fields whose schema has none. The fields of forms are texts and choices. */
import type { z } from "zod";
import { schemaMessage } from "#server/foundation/languages/text.ts";

/** Pass it to the parser, which consults it only where the schema has no message. */
export const formErrorMap: z.core.$ZodErrorMap = (problem) => {
  if (problem.code === "too_big" && problem.origin === "string") {
    return schemaMessage("fields.tooManyCharacters", { count: Number(problem.maximum) });
  }
  const isMissing =
    (problem.code === "invalid_type" && problem.input === undefined) ||
    (problem.code === "too_small" && problem.origin === "string");
  return schemaMessage(isMissing ? "fields.missing" : "fields.unexpected");
};
