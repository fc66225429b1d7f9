/** What the sandbox's Google accounts remember: who has signed in, and with which key it vouches for them. */
import { z } from "zod";
import { jsonObject } from "../http-helpers.ts";

const personSchema = z.object({
  name: z.string(),
  /** Null: the ID token has no email. */
  email: z.string().nullable(),
  emailVerified: z.boolean(),
  /** The Workspace domain that the account belongs to. */
  hostedDomain: z.string().nullable(),
  /** Takes longer than a code is good for. */
  isLate: z.boolean(),
});
export type GooglePerson = z.infer<typeof personSchema>;

export const googleSignInState = z.object({
  /** By subject. */
  people: z.record(z.string(), personSchema),
  /** The private key that signs ID tokens; made at the first start. */
  signingKey: jsonObject.nullable(),
});
export const emptyGoogleSignIn = (): z.infer<typeof googleSignInState> => ({ people: {}, signingKey: null });
