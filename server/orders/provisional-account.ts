/**
 * The provisional account: the user and the company with its address that an unpaid order created for a new buyer. Until
 * payment, corrections of the order correct them too, and they are deleted when the buyer turns out to have an account.
 * Existing users and companies are never changed.
 */

import * as rows from "#db/accounts/provisional-accounts.ts";
import { lockUser, selectUser } from "#db/accounts/users.ts";
import type { CustomerId, UserId } from "#db/ids.ts";
import type { AccountAnswers, Order } from "#db/orders/order.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { isSameEmail } from "#server/accounts/invites.ts";
import { endMailedLinks } from "#server/accounts/one-time-tokens.ts";
import { EmailTaken } from "#server/accounts/users.ts";
import { recordAudit } from "#server/foundation/audit.ts";
import { queueOwnMail } from "#server/foundation/outbox/mail.ts";

/** The rows that the order created and may still change; null for a row that it must not change. */
export interface ProvisionalAccount {
  /** The user has no verified email, no password and no paid order. */
  userId: UserId | null;
  /** The company's only member is the buyer, and it has no paid order. */
  customerId: CustomerId | null;
}

export async function findProvisionalAccount(db: Db, order: Order): Promise<ProvisionalAccount> {
  const { made } = order.details;
  const { userId, customerId } = order;
  return {
    userId: userId !== null && made?.userId === userId && (await isFresh(db, userId)) ? userId : null,
    customerId:
      customerId !== null && made?.customerId === customerId && (await isUnused(db, customerId))
        ? customerId
        : null,
  };
}

/** Finds the provisional account and locks its user until the transaction ends, so that a mailed link opened in between waits. */
export async function lockProvisionalAccount(trx: Trx, order: Order): Promise<ProvisionalAccount> {
  if (order.userId !== null) await lockUser(trx, order.userId);
  return findProvisionalAccount(trx, order);
}

async function isFresh(db: Db, userId: UserId): Promise<boolean> {
  const user = await selectUser(db, userId);
  if (user === null || user.passwordHash !== null) return false;
  if (user.emailVerifiedAt !== null || user.disabledAt !== null) return false;
  return !(await rows.hasPaidOrder(db, { userId }));
}

async function isUnused(db: Db, customerId: CustomerId): Promise<boolean> {
  return (await rows.countMembers(db, customerId)) === 1 && !(await rows.hasPaidOrder(db, { customerId }));
}

/**
 * Corrects the buyer's name, phone and email in a provisional account. A new email receives the link to set a password, and
 * links mailed to the old one stop working.
 * @param userId from findProvisionalAccount
 * @throws DomainError conflict, on the field `email`, when another account has it
 */
export async function updateProvisionalAccount(
  trx: Trx,
  order: Order,
  userId: UserId,
  answers: AccountAnswers,
): Promise<void> {
  const before = await selectUser(trx, userId);
  const isCorrected = await rows.updateProvisionalUser(trx, userId, {
    email: answers.email,
    firstName: answers.firstName,
    lastName: answers.lastName,
    phone: answers.phoneNumber,
  });
  if (!isCorrected) throw new EmailTaken();
  if (before !== null && isSameEmail(before.email, answers.email)) return;
  await endMailedLinks(trx, userId, new Date());
  await queueOwnMail(trx, {
    kind: "set-password",
    // One mail per correction, even when the email changes to an earlier one.
    dedupeKey: `set-password:${userId}:${order.version}`,
    userId,
    orderId: order.id,
  });
  await recordAudit(trx, { userId, action: "user.correct-email", subject: `user:${userId}` });
}

/** Deletes a provisional account that has no orders left, with its company. */
export async function deleteProvisionalAccount(trx: Trx, made: ProvisionalAccount): Promise<void> {
  const { userId, customerId } = made;
  if (userId === null || (await rows.listOrderIdsOf(trx, userId)).length > 0) return;
  await rows.deleteUser(trx, userId);
  if (customerId !== null) await rows.deleteCustomer(trx, customerId);
  await recordAudit(trx, { userId: null, action: "user.take-back", subject: `user:${userId}` });
}
