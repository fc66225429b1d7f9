/** Microsoft Sign-In: its view and its post. An existing tenant waits for its administrator's approval. */

import { z } from "zod";
import { suggestPrefix } from "#server/catalogue/families/microsoft/domain.ts";
import { notThisOrders } from "#server/catalogue/families/sign-in.ts";
import { msg } from "#server/foundation/languages/text.ts";
import * as paths from "#server/foundation/paths.ts";
import { requestedAdministrator } from "#server/fulfilment/administrators.ts";
import { translateSignInProblem } from "#server/fulfilment/buyer-notes.ts";
import { otherTenants } from "#server/fulfilment/enter-tenant.ts";
import { checkApproval, sendToTenant } from "#server/fulfilment/sign-in-step.ts";
import { formatDate } from "#server/orders/subscriptions/dates.ts";
import { maxText } from "../../forms/schemas.ts";
import { popup } from "../../http/administrator.ts";
import type { SignInScreens } from "../family.ts";
import { microsoftSignInSchema } from "./schemas.ts";

/** Answers entered at `/MSSignup`, as the form's initial values. */
const begun = z.discriminatedUnion("mode", [
  z.object({
    mode: z.literal("new"),
    username: z.string().min(1).max(maxText),
    prefix: z.string().max(maxText),
  }),
  z.object({ mode: z.literal("existing"), username: z.string().max(maxText) }),
]);

function answersIn(query: URLSearchParams): z.infer<typeof begun> | null {
  return begun.safeParse(Object.fromEntries(query)).data ?? null;
}

export const signIn: SignInScreens = {
  listedOn: { text: msg("microsoftSignup.title"), href: paths.microsoftSignup() },
  schema: microsoftSignInSchema,
  async view({ context, url, text, language }, order, { invitation, here, waitMs, refreshSeconds }) {
    const { signIn, account } = order;
    if (
      invitation?.status === "pending" &&
      signIn?.mode === "existing" &&
      url.searchParams.get("change") === null
    ) {
      const { username, domain, expiresAt } = invitation;
      return {
        asks: {
          family: "microsoft",
          is: "approval",
          username,
          domain,
          requestedEmail: await requestedAdministrator(context.db, order.id, domain),
          until: formatDate(expiresAt, order.country, language),
          approval: paths.approval(order.id),
          waitUrl: paths.invitationStatus(order.id, account?.email ?? ""),
          waitMs,
          change: `${here}?change=1`,
        },
        problem: null,
        refreshSeconds,
      };
    }
    return {
      asks: {
        family: "microsoft",
        is: "form",
        timedOut:
          invitation?.status === "timed_out" && signIn?.mode === "existing"
            ? text("families.timedOut")
            : null,
        known: (await otherTenants(context.db, order)).map(({ id, domain, name }) => ({
          value: id,
          title: domain,
          hint: text("signIn.knownHint", { name }),
        })),
        answers: signIn?.mode === "new" || signIn?.mode === "existing" ? signIn : answersIn(url.searchParams),
        suggestion: suggestPrefix(account?.companyName ?? ""),
        approval: paths.approval(order.id, { window: popup }),
      },
      problem: translateSignInProblem(language, order),
    };
  },
  async post({ context }, order, value, { requester, answer }) {
    switch (value.mode) {
      case "new":
        await answer({ answers: { mode: "new", username: value.username, prefix: value.prefix } });
        return null;
      case "existing":
        await answer({ answers: { mode: "existing", username: value.existingUsername } });
        return value.plain === "on" ? paths.approval(order.id) : null;
      case "known":
        await sendToTenant(context, { orderId: order.id, requester, tenant: value.tenant });
        return null;
      case "check-again":
        await checkApproval(context, order.id, requester);
        return null;
      default:
        throw notThisOrders();
    }
  },
};
