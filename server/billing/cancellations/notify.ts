/** Mails the outcome of a cancellation to the user who requested it, and to the company's owners. */

import { selectOwners } from "#db/accounts/members.ts";
import type { Cancellation } from "#db/billing/cancellations.ts";
import { readSubscription } from "#db/orders/subscriptions.ts";
import type { Trx } from "#db/tables/index.ts";
import { findUser } from "#server/accounts/users.ts";
import { queueOwnMail } from "#server/foundation/outbox/mail.ts";

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
