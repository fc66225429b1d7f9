/**
 * The agreement that a vendor makes with a buyer, accepted together with our terms when an order is placed
 * (docs/decisions/tenants.md#customer-agreement).
 */
import {
  type AgreementPlace,
  type AgreementVersion,
  findAgreementVersion,
  insertAcceptance,
  saveAgreementVersion,
} from "#db/accounts/agreements.ts";
import type { UserId } from "#db/ids.ts";
import type { Order } from "#db/orders/order.ts";
import type { Trx } from "#db/tables/index.ts";
import { answerInTime } from "#server/catalogue/families/answer-or-null.ts";
import { families } from "#server/catalogue/families/registry.ts";
import { DomainError, notFound } from "#server/foundation/errors.ts";
import { msg } from "#server/foundation/languages/text.ts";
import type { Context } from "#server/platform/context.ts";

/** A vendor's customer agreement as offered to a buyer. */
export interface OfferedAgreement {
  name: string;
  /** Null while the vendor has not reported the current version. */
  version: string | null;
}

/**
 * Returns the agreement for an order's buyer, from the stored version if there is one; null for a family without an agreement.
 */
export async function agreementOf(context: Context, place: AgreementPlace): Promise<OfferedAgreement | null> {
  const rules = families[place.family].agreement;
  if (rules === null) return null;
  const known = (await findAgreementVersion(context.db, place)) ?? (await askVersion(context, place));
  return { name: rules.name, version: known?.version ?? null };
}

/**
 * Returns the agreement to accept now, with the vendor's current version. A vendor that does not answer within 5 s does not
 * block the order.
 * @param shown the version that the buyer saw, only for comparison; null when none was shown
 * @throws DomainError conflict, on the field `terms`, when another version is current by now
 */
export async function requireAgreement(
  context: Context,
  place: AgreementPlace,
  shown: string | null,
): Promise<OfferedAgreement | null> {
  const rules = families[place.family].agreement;
  if (rules === null) return null;
  const current = (await askVersion(context, place)) ?? (await findAgreementVersion(context.db, place));
  if (current !== null && shown !== null && shown !== current.version) {
    const changed = msg("refusals.newAgreement", { name: rules.name });
    throw new DomainError("conflict", changed, { fields: { terms: changed } });
  }
  return { name: rules.name, version: current?.version ?? null };
}

/** Records that the buyer accepts the agreement with an order: the person, the version and the time. */
export async function acceptAgreement(
  trx: Trx,
  { id: orderId, account }: Order,
  { name, version }: OfferedAgreement,
  { userId, now }: { userId: UserId | null; now: Date },
): Promise<void> {
  if (account === null) throw new RangeError("An agreement is accepted by somebody");
  const { firstName, lastName, email, phoneNumber } = account;
  await insertAcceptance(trx, {
    orderId,
    userId,
    agreement: name,
    version,
    acceptedAt: now,
    person: { firstName, lastName, email, phoneNumber },
  });
}

/**
 * Returns the URL of the agreement's current text. A vendor's own URL is valid for minutes only, so pages link to our redirect.
 * @throws DomainError not_found for a family without an agreement; provider_unavailable
 */
export async function fetchAgreementUrl(context: Context, place: AgreementPlace): Promise<string> {
  const { agreement: rules, label } = families[place.family];
  if (rules === null) throw notFound();
  const { country } = place;
  const known = (await findAgreementVersion(context.db, place)) ?? (await askVersion(context, place));
  const document =
    known &&
    (await answerInTime(context, "where is this?", rules.documentUrl(context, country, known.version)));
  const address = document ?? known?.link ?? null;
  if (address !== null) return address;
  throw new DomainError("provider_unavailable", msg("refusals.vendorSilent", { vendor: label }));
}

async function askVersion(context: Context, place: AgreementPlace): Promise<AgreementVersion | null> {
  const { agreement: rules } = families[place.family];
  if (rules === null) return null;
  const heard = await answerInTime(
    context,
    "which version is in force?",
    rules.current(context, place.country),
  );
  if (heard !== null) await saveAgreementVersion(context.db, place, heard);
  return heard;
}
