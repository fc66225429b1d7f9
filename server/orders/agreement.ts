/**
 * The agreement that a vendor makes with a buyer, accepted together with our terms when an order is placed
 * (docs/decisions/customer-agreement.md).
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

/** An agreement as a buyer is asked to accept it. */
export interface OfferedAgreement {
  name: string;
  /** Null while the vendor has not said which version is in force. */
  version: string | null;
}

/** The agreement that an order's buyer accepts, without waiting for the vendor once it has been heard; null when there is none. */
export async function agreementOf(context: Context, place: AgreementPlace): Promise<OfferedAgreement | null> {
  const rules = families[place.family].agreement;
  if (rules === null) return null;
  const known = (await findAgreementVersion(context.db, place)) ?? (await askVersion(context, place));
  return { name: rules.name, version: known?.version ?? null };
}

/**
 * The agreement as it is to be accepted now: the vendor is asked anew. A vendor that does not answer within 5 s stops nobody.
 * @param shown the version the buyer saw, compared and never used; null when none was named
 * @throws DomainError conflict, on the field `terms`, when another version is in force by now
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

/** Stores who accepts the agreement with an order, in which version and when. */
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
 * Where the agreement can be read now. A vendor's own address is valid for minutes only, so a page links to ours.
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
