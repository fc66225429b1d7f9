/** The schemas of Microsoft Sign-In, with the specification's messages (docs/specification.md, section 5). */
import { z } from "zod";
import { schemaMessage } from "#server/foundation/languages/text.ts";
import { maxText, newTenantSchema } from "../../forms/schemas.ts";
import { existingUsernameProblem } from "./existing-username.ts";

/** The account that a buyer already has at Microsoft. */
export const existingTenantSchema = z.object({
  existingUsername: z
    .string({ error: schemaMessage("families.usernameRequired") })
    .trim()
    .toLowerCase()
    .min(1, schemaMessage("families.usernameRequired"))
    .max(maxText, schemaMessage("families.usernameTooLong"))
    .superRefine((username, context) => {
      const problem = existingUsernameProblem(username);
      if (problem !== null) context.addIssue({ code: "custom", message: schemaMessage(problem) });
    }),
});

const tenantId = z.uuid();

/** Reads the radio group: a tenant of the company that the store knows is chosen by its id. */
function knownTenant(posted: unknown): unknown {
  const given = z.looseObject({ mode: tenantId }).safeParse(posted);
  return given.success ? { mode: "known", tenant: given.data.mode } : posted;
}

/** Microsoft Sign-In: a known account, a new one by prefix, an existing username, or another check for its approval. */
export const microsoftSignInSchema = z.preprocess(
  knownTenant,
  z.discriminatedUnion("mode", [
    z.object({ mode: z.literal("known"), tenant: tenantId }),
    newTenantSchema.extend({ mode: z.literal("new") }),
    existingTenantSchema.extend({
      mode: z.literal("existing"),
      /** Sent by browsers without scripts: they navigate to the approval page and need no second window. */
      plain: z.literal("on").optional(),
    }),
    z.object({ mode: z.literal("check-again") }),
  ]),
);
