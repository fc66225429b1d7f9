/** Form that sends a quote to an approver or a payer. */
import { z } from "zod";
import { schemaMessage } from "#server/foundation/languages/text.ts";
import { emailField } from "../../forms/schemas.ts";

const why = z
  .string()
  .trim()
  .max(300)
  .optional()
  .transform((words) => words ?? "");

export const requestSchema = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("approve"), email: emailField, why }),
  z.object({
    intent: z.literal("pay"),
    email: emailField,
    why,
    terms: z.literal("on", { error: schemaMessage("steps.acceptTerms") }),
    /** The version of the vendor's agreement that was shown; empty when there was none. */
    agreement: z
      .string()
      .max(100)
      .optional()
      .transform((version) => version || null),
  }),
]);
