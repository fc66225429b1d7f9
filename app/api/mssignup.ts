/**
 * GET and POST /mssignup: checks whether a Microsoft domain prefix is free, and submits the sign-in step of a paid Microsoft
 * order.
 */

import type { SignInInput } from "#server/catalogue/families/family.ts";
import { isPrefixAvailable, prefixOf } from "#server/catalogue/families/microsoft/domain.ts";
import { countryOfConsoleCode, standardCountry } from "#server/foundation/countries/registry.ts";
import { findOrderInvitation } from "#server/fulfilment/partner-invitations.ts";
import { answerSignIn, checkApproval } from "#server/fulfilment/sign-in-step.ts";
import { existingTenantSchema } from "../families/microsoft/schemas.ts";
import { newTenantSchema } from "../forms/schemas.ts";
import { requesterOf } from "../journey/guard.ts";
import { consoleCode, ignoredText } from "./shared/fields.ts";
import { apiLoader, jsonAction, parseOr400, publicAccess, sessionAccess, z } from "./shared/route.ts";
import { answerSignInStep, refusedSignUp, signUpFields, signUpReply } from "./shared/vendor-sign-up.ts";

export const loader = apiLoader(
  {
    summary: "Whether a prefix of .onmicrosoft.com is free.",
    tag: "Sign-In",
    access: publicAccess,
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
      countryOfConsoleCode(console ?? "") ?? standardCountry,
      request.clientAddress,
    ),
  }),
);

export const action = jsonAction(
  {
    summary: "Sets the account for a paid Microsoft order: a new one, or the buyer's own once approved.",
    notes:
      "With is_existing_customer an administrator of that account confirms the order in a browser, at `other`: they sign in at Microsoft and accept us as partner. `status` is Pending until both are done; nothing is fulfilled before that. Ask GET /reseller/invitation/status, or send the same again, under another Idempotency-Key. The order then continues automatically. Details that differ from those in progress are rejected with 409.",
    tag: "Sign-In",
    access: sessionAccess,
    refuses: [404, 409, 502, 503],
    limited: true,
    idempotent: true,
    alsoGet: true,
    refusedAs: refusedSignUp,
    fieldNames: { prefix: "tenantname", existingUsername: "username" },
    body: z.object({
      ...signUpFields,
      o365_uid: ignoredText.describe("as the invitation's status answered it"),
      tenantname: ignoredText.describe(
        "the prefix of the account to be made, with or without .onmicrosoft.com",
      ),
      offerid: ignoredText,
    }),
    reply: signUpReply,
  },
  (request, sent) =>
    answerSignInStep(request, sent, {
      family: "microsoft",
      saysAnything: sent.username != null || sent.tenantname != null,
      read: () => ({ answers: answersIn(sent) }),
      async take(order, { answers }) {
        const requester = requesterOf(request);
        // A repeat while the approval is pending only checks it. It does not restart the wait.
        const waiting =
          answers.mode === "existing" ? await findOrderInvitation(request.context.db, order.id) : null;
        const isSame = answers.mode === "existing" && waiting?.username === answers.username;
        if (waiting?.status !== "pending" || !isSame) {
          await answerSignIn(request.context, {
            orderId: order.id,
            requester,
            answers,
            clientAddress: request.clientAddress,
            now: new Date(),
          });
        }
        if (answers.mode === "existing") await checkApproval(request.context, order.id, requester);
      },
    }),
);

/** @throws DomainError bad_request */
function answersIn(sent: {
  is_existing_customer?: boolean | null | undefined;
  username?: string | null | undefined;
  tenantname?: string | null | undefined;
}): SignInInput["answers"] {
  const username = sent.username ?? undefined;
  if (sent.is_existing_customer) {
    const { existingUsername } = parseOr400(existingTenantSchema, { existingUsername: username });
    return { mode: "existing", username: existingUsername };
  }
  const prefix = sent.tenantname == null ? undefined : prefixOf(sent.tenantname);
  return { mode: "new", ...parseOr400(newTenantSchema, { username, prefix }) };
}
