/** Handles permanent delivery failures: immediate rejections and bounces. */
import { insertSuppression, type LoggedMail, markMailRefused } from "#db/mail/mails.ts";
import type { Trx } from "#db/tables/index.ts";
import { mailKindLabels } from "#server/desk/labels.ts";
import { operatorRecipient, queueOperatorAlert } from "#server/foundation/outbox/mail.ts";

/**
 * Marks the mail as failed. A server repeats a permanent refusal, and takes a sender who goes on for a spammer, so we send
 * nothing more to that address and alert the operator once. The operator's own address is never suppressed.
 * @param refusal.reason the server's reply, by its codes
 * @param refusal.isAddress whether the server refused the address, and not just this mail
 * @returns whether this call suppressed the address
 */
export async function markPermanentFailure(
  trx: Trx,
  { id, recipient, kind, orderId }: Pick<LoggedMail, "id" | "recipient" | "kind" | "orderId">,
  { reason, isAddress }: { reason: string; isAddress: boolean },
): Promise<boolean> {
  await markMailRefused(trx, id, reason);
  if (recipient === operatorRecipient || !isAddress) return false;
  if (!(await insertSuppression(trx, { email: recipient, reason, mailId: id }))) return false;
  await queueOperatorAlert(trx, {
    dedupeKey: `mail-refused:${id}`,
    orderId,
    what: `${recipient} permanently rejects our email. First rejected: "${mailKindLabels[kind]}": ${reason}. We won't send it any more email.`,
    toDo: [
      "Call the customer and ask for an address that works.",
      "If the address works again, lift its suppression in Desk, under Email, and resend what they missed.",
    ],
  });
  return true;
}
