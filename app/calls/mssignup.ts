/**
 * GET and POST /mssignup: checks whether a Microsoft domain prefix is free, and submits the sign-in step of a paid Microsoft
 * order.
 */

import { countryOfConsole, standardCountry } from "#server/countries/country.ts";
import type { SignInGiven } from "#server/families/family.ts";
import { isPrefixAvailable, prefixOf } from "#server/families/microsoft/domain.ts";
import { findInvitation } from "#server/fulfilment/invitations.ts";
import { answerSignIn, checkApproval } from "#server/fulfilment/sign-in.ts";
import { existingTenantSchema } from "../families/microsoft/schemas.ts";
import { newTenantSchema } from "../forms/schemas.ts";
import { askerOf } from "../journey/guard.ts";
import { consoleCode, note } from "./shared/fields.ts";
import { anybody, apiLoader, jsonAction, parseOr400, signedIn, z } from "./shared/route.ts";
import { refusedSignUp, signUp, signUpFields, signUpReply } from "./shared/sign-up.ts";

export const loader = apiLoader(
  {
    summary: "Whether a prefix of .onmicrosoft.com is free.",
    tag: "Sign-In",
    access: anybody,
    limited: true,
    refuses: [502, 503],
    query: z.object({
      tenant: z
        .string()
        .transform(prefixOf)
        .pipe(newTenantSchema.shape.prefix)
        .describe("the prefix, with or without .onmicrosoft.com"),
      console: consoleCode.optional(),
    }),
    reply: z.object({ valid: z.boolean() }),
  },
  async (request, { tenant, console }) => ({
    valid: await isPrefixAvailable(
      request.context,
      tenant,
      countryOfConsole(console ?? "") ?? standardCountry,
      request.clientAddress,
    ),
  }),
);

export const action = jsonAction(
  {
    summary:
      "Says which account a paid Microsoft order goes to: a new one, or the buyer's own after its approval.",
    notes:
      "With is_existing_customer an administrator of that account confirms the order in a browser, at `other`: they sign in at Microsoft and accept us as partner. `status` is Pending until both are done, and nothing is carried out before. Ask GET /reseller/invitation/status, or send the same again, under another Idempotency-Key. The order then goes on by itself. Other details than those being carried out are refused with 409.",
    tag: "Sign-In",
    access: signedIn,
    refuses: [404, 409, 502, 503],
    limited: true,
    idempotent: true,
    alsoGet: true,
    refusedAs: refusedSignUp,
    fieldNames: { prefix: "tenantname", existingUsername: "username" },
    body: z.object({
      ...signUpFields,
      o365_uid: note.describe("as the invitation's status answered it"),
      tenantname: note.describe("the prefix of the account to be made, with or without .onmicrosoft.com"),
      offerid: note,
    }),
    reply: signUpReply,
  },
  (request, sent) =>
    signUp(request, sent, {
      family: "microsoft",
      saysAnything: sent.username != null || sent.tenantname != null,
      read: () => ({ answers: answersIn(sent) }),
      async take(order, { answers }) {
        const asker = askerOf(request);
        // A repeat while the approval is pending only checks it. It does not restart the wait.
        const waiting =
          answers.mode === "existing" ? await findInvitation(request.context.db, order.id) : null;
        const isSame = answers.mode === "existing" && waiting?.username === answers.username;
        if (waiting?.status !== "pending" || !isSame) {
          await answerSignIn(request.context, {
            orderId: order.id,
            asker,
            answers,
            clientAddress: request.clientAddress,
            now: new Date(),
          });
        }
        if (answers.mode === "existing") await checkApproval(request.context, order.id, asker);
      },
    }),
);

/** @throws DomainError bad_request */
function answersIn(sent: {
  is_existing_customer?: boolean | null | undefined;
  username?: string | null | undefined;
  tenantname?: string | null | undefined;
}): SignInGiven["answers"] {
  const username = sent.username ?? undefined;
  if (sent.is_existing_customer) {
    const { existingUsername } = parseOr400(existingTenantSchema, { existingUsername: username });
    return { mode: "existing", username: existingUsername };
  }
  const prefix = sent.tenantname == null ? undefined : prefixOf(sent.tenantname);
  return { mode: "new", ...parseOr400(newTenantSchema, { username, prefix }) };
}
