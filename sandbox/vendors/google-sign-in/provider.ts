/** Sign-in with a Google account under `/google-login`, with a page for choosing who signs in. */
import type { Router } from "express";
import { z } from "zod";
import { createOpenIdProvider, type OpenIdClient } from "../openid/openid.ts";
import { choicePage } from "../openid/pages.ts";
import type { Sandbox } from "../sandbox.ts";
import { claimsOf, fixedPeople, remember, typedEmails, typedPerson } from "./people.ts";

export const googleLoginPath = "/google-login";

const formSchema = z.object({
  person: z.string().optional(),
  email: z.string().max(200).default(""),
  name: z.string().max(200).default(""),
  verified: z.enum(typedEmails.map(([value]) => value)).default("no"),
});

const choices = { name: "Google", company: "Google", people: fixedPeople, emails: typedEmails };

/** Google's own error names on its page, by OpenID's. */
const refusedPages: Readonly<Record<string, string>> = {
  invalid_redirect_uri: "Error 400: redirect_uri_mismatch",
  invalid_client: "Error 401: invalid_client",
};

/** @param origin the sandbox's address */
export async function createGoogleSignIn(
  sandbox: Sandbox,
  client: OpenIdClient,
  origin: string,
): Promise<Router> {
  const { router } = await createOpenIdProvider(sandbox, client, {
    issuer: `${origin}${googleLoginPath}`,
    claims: {
      openid: ["sub", "hd"],
      email: ["email", "email_verified"],
      profile: ["name", "given_name", "family_name"],
    },
    keys: () => sandbox.state.googleSignIn,
    counted: "google.sign-in",
    refusals: { invalid_grant: "Bad Request", invalid_client: "Unauthorized" },
    refused: (code) => refusedPages[code],
    isLate: (accountId) => sandbox.state.googleSignIn.people[accountId]?.isLate === true,
    claimsOf: (subject) => claimsOf(sandbox, subject),
    page: (action, problem) => choicePage(choices, action, problem),
    choose(posted) {
      const form = formSchema.safeParse(posted);
      if (!form.success) return undefined;
      const person = fixedPeople.find(({ id }) => id === form.data.person) ?? typedPerson(form.data);
      return { accountId: remember(sandbox, person) };
    },
  });
  return router;
}
