/** Mails about a cancellation: to who asked for it, and to the company's owners, who answer for what it pays. */
import type { Cancellation } from "#db/cancellations.ts";
import { selectOwners } from "#db/members.ts";
import { readSubscription } from "#db/subscriptions.ts";
import type { Trx } from "#db/tables/index.ts";
import { findUser } from "#server/accounts/users.ts";
import { queueMail } from "#server/outbox/mail.ts";

export async function tellOf(
  trx: Trx,
  { id, subscriptionId, askedBy }: Cancellation,
  outcome: "done" | "refused",
): Promise<void> {
  const subscription = await readSubscription(trx, subscriptionId);
  if (subscription === null) return;
  const asker = await findUser(trx, askedBy);
  const owners = await selectOwners(trx, subscription.customerId);
  const readers = new Map(owners.map(({ userId, email }) => [userId, email]));
  if (asker !== null) readers.set(askedBy, asker.email);
  for (const [userId, email] of readers) {
    await queueMail(trx, {
      kind: "cancellation",
      dedupeKey: `cancellation:${id}:${outcome}:${userId}`,
      recipient: email,
      userId,
      data: { cancellationId: id },
    });
  }
}
