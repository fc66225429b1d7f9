/**
 * The only way to mail an address that a user has typed: an invitation, a request to approve or pay, a question. Such a mail has
 * the store's name on it and reaches people who did not request it, so the sender's mailbox must be proven and the mails are
 * limited (docs/decisions/mail.md#mail-to-third-parties).
 */
import type { CustomerId, UserId } from "#db/ids.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { insertThirdPartyMail, type ThirdPartyMailRequest } from "#server/foundation/outbox/mail.ts";
import { consumeRateLimit } from "#server/foundation/security/rate-limit.ts";
import { findMembership } from "./customers.ts";
import { requireVerifiedEmail } from "./email-verification.ts";
import { findUserByEmail } from "./users.ts";

const hour = 3_600;

export interface ThirdPartySender {
  userId: UserId;
  /** Company that the sender acts for; null for a buyer without one. */
  customerId: CustomerId | null;
}

/**
 * Permission to mail one address. Only `permitThirdPartyMail` creates it: the private fields prevent any other object from being
 * passed.
 */
class ThirdPartyPermit {
  readonly #sender: UserId;
  readonly #recipient: string;

  constructor(sender: UserId, recipient: string) {
    this.#sender = sender;
    this.#recipient = recipient;
  }

  /**
   * Queues the mail. Stores the sender's id with it, so that the mail can name the sender's proven address.
   * @returns false when a mail with this key already exists
   * @throws DomainError forbidden while nobody has proven the sender's mailbox
   */
  async queue(trx: Trx, mail: Omit<ThirdPartyMailRequest, "recipient">): Promise<boolean> {
    await requireVerifiedEmail(trx, this.#sender);
    const data = { ...mail.data, by: this.#sender };
    return insertThirdPartyMail(trx, { ...mail, recipient: this.#recipient, data });
  }
}

/**
 * Counts a mail of any kind against the limits of its recipient, sender and company. Pass `db`, not a transaction: refused
 * attempts count too.
 * @throws DomainError forbidden while nobody has proven the sender's mailbox; rate_limited
 */
export async function permitThirdPartyMail(
  db: Db,
  sender: ThirdPartySender,
  recipient: string,
  now = new Date(),
): Promise<ThirdPartyPermit> {
  const { userId, customerId } = sender;
  await requireVerifiedEmail(db, userId);
  await consumeRateLimit(db, { name: "mail-by-sender", key: userId, limit: 20, windowSeconds: hour, now });
  if (customerId !== null)
    await consumeRateLimit(db, {
      name: "mail-by-company",
      key: customerId,
      limit: 30,
      windowSeconds: hour,
      now,
    });
  await countMailTo(db, recipient, now);
  return new ThirdPartyPermit(userId, recipient);
}

/**
 * Counts a mail to an address that a user has typed, so that many senders together cannot flood a mailbox. Pass `db`, not a transaction.
 * @throws DomainError rate_limited after ten a day
 */
export async function countMailTo(db: Db, recipient: string, now = new Date()): Promise<void> {
  const key = mailboxOf(recipient);
  await consumeRateLimit(db, { name: "mail-to", key, limit: 10, windowSeconds: 24 * hour, now });
}

/** Removes the tag of "name+tag@example.com", which names the same mailbox. */
function mailboxOf(address: string): string {
  return address
    .trim()
    .toLowerCase()
    .replace(/\+[^@]*(?=@)/, "");
}

/** Whether the holder of an address has proven it and belongs to the company, so that they get free text as typed. */
export async function isColleague(db: Db, customerId: CustomerId | null, email: string): Promise<boolean> {
  const reader = customerId === null ? null : await findUserByEmail(db, email);
  if (reader === null || customerId === null || reader.emailVerifiedAt === null) return false;
  return (await findMembership(db, reader.id, customerId)) !== null;
}
