/**
 * Sign-in with Outlook under `/microsoft-login/common/v2.0`, with a page for choosing who signs in.
 *
 * One thing differs from Microsoft, where every tenant is a separate issuer behind the address "common". The client library
 * supports that only for Microsoft's host, so here the issuer is the address, and the tenant is a claim.
 */
import type { Router } from "express";
import { z } from "zod";
import { createOpenIdProvider, type OpenIdClient } from "../openid/openid.ts";
import { choicePage } from "../openid/pages.ts";
import type { Sandbox } from "../sandbox.ts";
import type { OutlookPerson } from "./entities.ts";
import { claimsOf, fixedPeople, remember, typedPerson } from "./people.ts";

export const outlookPath = "/microsoft-login/common/v2.0";

export const microsoftDeclined = "AADSTS65004: User declined to consent to access the app.";

const formSchema = z.object({
  person: z.string().optional(),
  email: z.string().max(200).default(""),
  name: z.string().max(200).default(""),
  verified: z.enum(["yes", "no"]).default("no"),
});

const choices = {
  name: "Outlook",
  company: "Microsoft",
  people: fixedPeople,
  emails: [
    ["no", "The email is not verified"],
    ["yes", "The email is verified"],
  ],
} as const;

/** @param origin the sandbox's address */
export async function createOutlookProvider(
  sandbox: Sandbox,
  client: OpenIdClient,
  origin: string,
): Promise<Router> {
  const { router } = await createOpenIdProvider(sandbox, client, {
    issuer: `${origin}${outlookPath}`,
    claims: {
      openid: ["sub", "tid", "oid"],
      email: ["email", "xms_edov"],
      profile: ["name", "preferred_username"],
    },
    keys: () => sandbox.state.outlook,
    counted: "outlook.sign-in",
    declined: microsoftDeclined,
    claimsOf: (subject) => claimsOf(sandbox, subject),
    page: (action, problem) => choicePage(choices, action, problem),
    choose(posted) {
      const form = formSchema.safeParse(posted);
      if (!form.success) return undefined;
      const person: OutlookPerson =
        fixedPeople.find(({ id }) => id === form.data.person) ??
        typedPerson({ ...form.data, verified: form.data.verified === "yes" });
      return { accountId: remember(sandbox, person) };
    },
  });
  return router;
}
