/** Queries on users' consents to our own texts. Vendors' agreements are in agreements.ts. */
import { newId, type OrderId, type UserId } from "#db/ids.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import type { ConsentText } from "#db/tables/my-data.ts";

export interface Consent {
  text: ConsentText;
  version: string;
  /** Language in which the text was read; null if unknown. */
  language: string | null;
  /** Network of the request; null without a request, and for a deleted account. */
  network: string | null;
  /** Order with which it was given; null for a consent given with an account. */
  orderId: OrderId | null;
  acceptedAt: Date;
}

/** Stores a consent, and its version's text if it is the first of it. */
export async function insertConsent(
  trx: Trx,
  consent: Consent & { userId: UserId; words: Readonly<Record<string, string>> },
): Promise<void> {
  const { text, version, words, acceptedAt } = consent;
  await trx
    .insertInto("consent_texts")
    .values({ text, version, words: JSON.stringify(words), first_used_at: acceptedAt })
    .onConflict((oc) => oc.columns(["text", "version"]).doNothing())
    .execute();
  await trx
    .insertInto("consents")
    .values({
      id: newId(),
      user_id: consent.userId,
      order_id: consent.orderId,
      text,
      version,
      language: consent.language,
      network: consent.network,
      accepted_at: acceptedAt,
    })
    .execute();
}

/** Lists a user's consents, newest first, at most 100. */
export function listConsents(db: Db, userId: UserId): Promise<Consent[]> {
  return db
    .selectFrom("consents")
    .select(["text", "version", "language", "network", "order_id as orderId", "accepted_at as acceptedAt"])
    .where("user_id", "=", userId)
    .orderBy("accepted_at", "desc")
    .limit(100)
    .execute();
}
