/** Mails about a cancellation: to who asked for it, and to the company's owners, who answer for what it pays. */
import type { Cancellation } from "#db/cancellations.ts";
import { selectOwners } from "#db/members.ts";
import { readSubscription } from "#db/subscriptions.ts";
import type { Trx } from "#db/tables/index.ts";
import { findUser } from "#server/accounts/users.ts";
import { queueOwnMail } from "#server/outbox/mail.ts";

export async function notifyOfCancellation(
  trx: Trx,
  { id, subscriptionId, askedBy }: Cancellation,
  outcome: "done" | "refused",
): Promise<void> {
  const subscription = await readSubscription(trx, subscriptionId);
  if (subscription === null) return;
  const sender = await findUser(trx, askedBy);
  const owners = await selectOwners(trx, subscription.customerId);
  const readers = new Set(owners.map(({ userId }) => userId));
  if (sender !== null) readers.add(askedBy);
  for (const userId of readers) {
    await queueOwnMail(trx, {
      kind: "cancellation",
      dedupeKey: `cancellation:${id}:${outcome}:${userId}`,
      userId,
      data: { cancellationId: id },
    });
  }
}
