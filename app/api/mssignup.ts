/** GET and POST /mssignup: whether a Microsoft domain prefix is free, and the sign-in step of a paid Microsoft order (SPEC section 7). */
import { findInvitation } from "#server/fulfilment/invitations.ts";
import { answerSignIn, checkApproval } from "#server/fulfilment/sign-in.ts";
import { isPrefixAvailable, microsoftSuffix } from "#server/orders/microsoft-domain.ts";
import { consoleCode, note } from "../calls/fields.ts";
import { refusedSignUp, signUp, signUpFields, signUpReply } from "../calls/sign-up.ts";
import { microsoftSignInSchema } from "../forms/schemas.ts";
import { anybody, apiLoader, jsonAction, parseOr400, signedIn, z } from "../http/api.ts";
import { askerOf } from "../journey/guard.ts";

export const loader = apiLoader(
  {
    summary: "Whether a prefix of .onmicrosoft.com is free.",
    tag: "Sign-In",
    access: anybody,
    limited: true,
    refuses: [502, 503],
    query: z.object({ tenant: z.string().regex(/^[a-z0-9]{1,27}$/), console: consoleCode.optional() }),
    reply: z.object({ valid: z.boolean() }),
  },
  async (page, { tenant }) => ({
    valid: await isPrefixAvailable(page.context, tenant, page.clientAddress),
  }),
);

export const action = jsonAction(
  {
    summary:
      "Says which account a paid Microsoft order goes to: a new one, or the buyer's own after its approval.",
    notes:
      "With is_existing_customer the buyer approves us at `other`; `status` is Pending until then. Ask GET /reseller/invitation/status, or send the same again, under another Idempotency-Key. The order goes on by itself once it is approved.",
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
  (page, sent) =>
    signUp(page, sent, "microsoft", async (order) => {
      const asker = askerOf(page);
      const answers = parseOr400(
        microsoftSignInSchema,
        sent.is_existing_customer
          ? { mode: "existing", existingUsername: sent.username ?? undefined }
          : {
              mode: "new",
              username: sent.username ?? undefined,
              prefix: sent.tenantname?.toLowerCase().replace(microsoftSuffix, "") ?? undefined,
            },
      );
      const input = { orderId: order.id, asker, clientAddress: page.clientAddress, now: new Date() };
      if (answers.mode === "new") {
        const { username, prefix } = answers;
        await answerSignIn(page.context, { ...input, answers: { mode: "new", username, prefix } });
      }
      if (answers.mode === "existing") {
        const username = answers.existingUsername;
        // Sent again while the approval is waited for, it looks; it does not begin to wait anew.
        const waiting = await findInvitation(page.context.db, order.id);
        if (waiting?.status !== "pending" || waiting.username !== username) {
          await answerSignIn(page.context, { ...input, answers: { mode: "existing", username } });
        }
        await checkApproval(page.context, order.id, asker);
      }
    }),
);
