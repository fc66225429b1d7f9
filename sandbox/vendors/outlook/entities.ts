/** State of the sandbox's Outlook: people who have signed in, and the key that signs their ID tokens. */
import { z } from "zod";
import { jsonObject } from "../http-helpers.ts";

const personSchema = z.object({
  name: z.string(),
  /** Null: the ID token has no email. */
  email: z.string().nullable(),
  /** The tenant has proven that the email's domain is its own. */
  verified: z.boolean(),
  tenant: z.string(),
});
export type OutlookPerson = z.infer<typeof personSchema>;

export const outlookState = z.object({
  /** People by subject. */
  people: z.record(z.string(), personSchema),
  /** The private key that signs ID tokens; made at the first start. */
  signingKey: jsonObject.nullable(),
});
export const emptyOutlook = (): z.infer<typeof outlookState> => ({ people: {}, signingKey: null });
