/** State of the sandbox's Google accounts: people who have signed in, and the key that signs their ID tokens. */
import { z } from "zod";
import { jsonObject } from "../http-helpers.ts";

const personSchema = z.object({
  name: z.string(),
  /** Null: the ID token has no email. */
  email: z.string().nullable(),
  emailVerified: z.boolean(),
  /** The Workspace domain that the account belongs to. */
  hostedDomain: z.string().nullable(),
  /** Returns after the code has expired. */
  isLate: z.boolean(),
});
export type GooglePerson = z.infer<typeof personSchema>;

export const googleSignInState = z.object({
  /** People by subject. */
  people: z.record(z.string(), personSchema),
  /** The private key that signs ID tokens; made at the first start. */
  signingKey: jsonObject.nullable(),
});
export const emptyGoogleSignIn = (): z.infer<typeof googleSignInState> => ({ people: {}, signingKey: null });
