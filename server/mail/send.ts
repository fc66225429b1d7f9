/** The job that sends one mail. Links with a token are minted here, so that no token is ever stored in clear. */
import { sql } from "kysely";
import { z } from "zod";
import { type InviteId, type MailId, parseId } from "#db/ids.ts";
import type { TokenPurpose } from "#db/tables/enums.ts";
import type { MailRow } from "#db/tables/platform.ts";
import { codeMinutes, codeOf } from "#server/accounts/identity-proofs.ts";
import { findInvite } from "#server/accounts/invites.ts";
import { mintInviteToken, mintToken } from "#server/accounts/one-time-tokens.ts";
import type { Context } from "#server/context.ts";
import { unreachable } from "#server/errors.ts";
import { readCredentials } from "#server/fulfilment/credentials.ts";
import { findOrder } from "#server/orders/find.ts";
import { isPaid, type Order } from "#server/orders/order.ts";
import { noticeOf } from "#server/subscriptions/notice.ts";
import { operator } from "./outbox.ts";
import { type MailText, templates } from "./templates.ts";

const hour = 3600;
const day = 24 * hour;

/** @throws ProviderError when the mail server does not take it; the queue tries again */
export async function sendMail(context: Context, mailId: MailId): Promise<void> {
  const { db, env } = context;
  const mail = await db.selectFrom("mails").selectAll().where("id", "=", mailId).executeTakeFirst();
  if (mail === undefined || mail.sent_at !== null) return;
  const text = await compose(context, mail);
  // The Message-ID is the row's own: a mail sent again after a crash is one mail to its reader.
  const messageId = `<${mail.id}@${new URL(env.PUBLIC_URL).hostname}>`;
  const to = mail.recipient === operator ? env.OPERATOR_EMAIL : mail.recipient;
  if (text !== null) await context.mail.send({ messageId, to, ...text });
  await db.updateTable("mails").set({ sent_at: sql`now()` }).where("id", "=", mail.id).execute();
}

const data = z.record(z.string(), z.string());

/** @returns null for a mail that has lost its point since it was asked for */
async function compose(context: Context, mail: MailRow): Promise<MailText | null> {
  const { db, env } = context;
  const facts = data.parse(mail.data);
  const order = mail.order_id === null ? null : await findOrder(db, mail.order_id);
  const link = async (purpose: TokenPurpose, path: string, ttlSeconds: number) => {
    if (mail.user_id === null) throw new RangeError(`A ${mail.kind} mail needs a user`);
    const userId = mail.user_id;
    const token = await db
      .transaction()
      .execute((trx) => mintToken(trx, { purpose, userId, orderId: mail.order_id, ttlSeconds }));
    return `${env.PUBLIC_URL}${path}/${token}`;
  };
  switch (mail.kind) {
    case "set-password":
      return templates.setPassword({ link: await link("set-password", "/set-password", 7 * day) });
    case "reset-password":
      return templates.resetPassword({ link: await link("reset-password", "/reset-password", hour) });
    case "resume-order":
      return templates.resumeOrder({ order, link: await link("resume-order", "/resume", 7 * day) });
    case "signin-reminder":
      return templates.signInReminder({ order, link: await link("resume-order", "/resume", 7 * day) });
    case "order-confirmation":
      return templates.orderConfirmation({
        order,
        link: orderLink(env.PUBLIC_URL, order),
        invoice: invoiceLink(env.PUBLIC_URL, order),
      });
    case "brio-access":
      return templates.brioAccess({
        order,
        link: env.BRIO_URL,
        access: order === null ? null : await readCredentials(context, db, order.id, "sign-in"),
        invoice: invoiceLink(env.PUBLIC_URL, order),
      });
    case "outlook-code": {
      const code = codeOf(context.encryptionKey, {
        id: facts.proof ?? "",
        email: mail.recipient,
        number: Number(facts.number),
      });
      return templates.outlookCode({ code, minutes: codeMinutes });
    }
    case "member-invite": {
      const id = parseId<InviteId>(facts.inviteId);
      const invite = id === null ? null : await findInvite(db, id, new Date());
      if (invite === null) return null;
      const token = await mintInviteToken(db, invite.id, invite.expiresAt);
      return templates.memberInvite({ invite, link: `${env.PUBLIC_URL}/invite/${token}` });
    }
    case "renewal-reminder":
    case "subscription-ended": {
      const notice = await noticeOf(db, mail.kind, facts, new Date());
      if (notice === null) return null;
      const to = { notice, link: `${env.PUBLIC_URL}/${notice.subscriptionId}/renew` };
      return mail.kind === "renewal-reminder"
        ? templates.renewalReminder(to)
        : templates.subscriptionEnded(to);
    }
    case "operator-alert":
      return templates.operatorAlert({ order, what: facts.what ?? "" });
    default:
      return unreachable(mail.kind);
  }
}

function orderLink(publicUrl: string, order: Order | null): string {
  if (order === null) return publicUrl;
  const { id, kind, family, itemId, country, subscriptionId } = order;
  if (kind === "TUP") return `${publicUrl}/contract/${id}/${family}`;
  if (kind === "ADDON") return `${publicUrl}/subscription/addon/${id}`;
  if (kind === "ADD") return `${publicUrl}/buy/more/${subscriptionId}/${id}`;
  if (kind === "RENEW") return `${publicUrl}/${subscriptionId}/renew/${id}`;
  return `${publicUrl}/order/${id}/${family}/${itemId}/${country}`;
}

/** Null for an order that is gone or not paid: it has none. */
function invoiceLink(publicUrl: string, order: Order | null): string | null {
  return order === null || !isPaid(order) ? null : `${publicUrl}/orders/${order.id}/invoice`;
}
