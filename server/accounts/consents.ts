/**
 * Consents to our own texts: the terms with each order, the privacy notice with an account. A version is a hash of the text, so
 * that nobody can forget to increase it; its words are stored when it is first accepted
 * (docs/decisions/privacy.md#export-and-deletion).
 */
import { createHash } from "node:crypto";
import { type Consent, insertConsent, listConsents } from "#db/accounts/consents.ts";
import type { OrderId, UserId } from "#db/ids.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import type { ConsentText } from "#db/tables/my-data.ts";
import { type LanguageId, languages, standardLanguage } from "#server/foundation/languages/language.ts";
import { networkOf } from "#server/foundation/security/network.ts";
import { clientAddress } from "#server/foundation/web/request-store.ts";

export type { Consent };

/** Name prefixes of messages in the same namespace that belong to other pages, not to the terms. */
const elsewhere = /^(about|privacy|grievances|accessibility)/;

const isOf: Readonly<Record<ConsentText, (message: string) => boolean>> = {
  privacy: (message) => message.startsWith("privacy"),
  // Accepted with an order: the terms of sale and the refund rules.
  terms: (message) => !elsewhere.test(message),
};

/** Returns a text's messages in the standard language, from which the others are translated. */
export function consentText(text: ConsentText): Record<string, string> {
  const { legal } = languages[standardLanguage].messages;
  return Object.fromEntries(Object.entries(legal).filter(([name]) => isOf[text](name)));
}

/** Returns the first twelve hexadecimal digits of the SHA-256 of the text. */
export function consentVersion(text: ConsentText): string {
  return createHash("sha256")
    .update(JSON.stringify(consentText(text)))
    .digest("hex")
    .slice(0, 12);
}

/** @param given.orderId the order at which it is accepted; null for an account */
export async function recordConsent(
  trx: Trx,
  given: {
    userId: UserId;
    orderId: OrderId | null;
    text: ConsentText;
    language: LanguageId | null;
    at: Date;
  },
): Promise<void> {
  const { userId, orderId, text, language, at } = given;
  const address = clientAddress();
  await insertConsent(trx, {
    userId,
    orderId,
    text,
    version: consentVersion(text),
    words: consentText(text),
    language,
    network: address === null ? null : networkOf(address),
    acceptedAt: at,
  });
}

/** Lists a user's consents, newest first. */
export function consentsOf(db: Db, userId: UserId): Promise<Consent[]> {
  return listConsents(db, userId);
}
