/**
 * Billing contacts: recipients of a company's documents in addition to the buyer. Nothing is sent to an address before its reader
 * has agreed, and each mail has a link that stops them (docs/decisions/mail.md#billing-contacts).
 */
import {
  type BillingContact,
  confirmBillingContact,
  deleteBillingContact,
  insertContactLink,
  listBillingContacts,
  readBillingContact,
  readContactOfLink,
  saveBillingContact,
} from "#db/accounts/billing-contacts.ts";
import { type BillingContactId, type CustomerId, newId, parseId } from "#db/ids.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { recordAudit } from "#server/foundation/audit.ts";
import { DomainError, notFound, wrongField } from "#server/foundation/errors.ts";
import type { LanguageId } from "#server/foundation/languages/language.ts";
import { msg } from "#server/foundation/languages/text.ts";
import { hashToken, newToken } from "#server/foundation/security/token.ts";
import { lockAsOwner, type OwnerRequest } from "./company-profile.ts";
import { permitThirdPartyMail } from "./third-party-mail.ts";

export { type BillingContact, listBillingContacts, readBillingContact };

/** Enough for a company's accountants; this is not a mailing list. */
const maxContacts = 10;
/**
 * Lifetime of a link: longer than a financial year, so that the link in a document's mail still stops the mails. A question that
 * is not answered by then lapses.
 */
const linkMs = 400 * 24 * 60 * 60 * 1_000;

/**
 * Adds a contact, whom we ask by mail, or changes which documents an existing one gets. A contact that has not answered is asked
 * again.
 * @returns whether a question was queued
 * @throws DomainError forbidden unless an owner with a proven mailbox asks; bad_request on the field it concerns; conflict for
 * too many; rate_limited
 */
export async function addBillingContact(
  db: Db,
  owner: OwnerRequest,
  input: Pick<BillingContact, "email" | "getsInvoices" | "getsProformas"> & { language: LanguageId },
): Promise<boolean> {
  if (!input.getsInvoices && !input.getsProformas)
    throw wrongField("getsInvoices", msg("billing.chooseWhat"));
  const sender = { userId: owner.by, customerId: owner.customerId };
  const permit = await permitThirdPartyMail(db, sender, input.email);
  return db.transaction().execute(async (trx) => {
    await lockAsOwner(trx, owner);
    const { customerId } = owner;
    const all = await listBillingContacts(trx, customerId);
    const known = all.find((contact) => contact.email.toLowerCase() === input.email.toLowerCase());
    if (known === undefined && all.length >= maxContacts)
      throw new DomainError("conflict", msg("billing.tooMany", { count: maxContacts }));
    const { email, getsInvoices, getsProformas, language } = input;
    const contactId = await saveBillingContact(trx, {
      id: newId<BillingContactId>(),
      customerId,
      email,
      getsInvoices,
      getsProformas,
    });
    await changed(trx, owner, "billing-contact.set", contactId);
    if (known !== undefined && known.confirmedAt !== null) return false;
    return permit.queue(trx, {
      kind: "billing-contact",
      dedupeKey: `billing-contact:${contactId}:${newId<BillingContactId>()}`,
      data: { contactId, language },
    });
  });
}

/**
 * @returns the removed contact @throws DomainError forbidden unless an owner asks; not_found for a contact that is not the
 * company's
 */
export async function removeBillingContact(
  trx: Trx,
  owner: OwnerRequest,
  contact: string,
): Promise<BillingContact> {
  await lockAsOwner(trx, owner);
  const id = parseId<BillingContactId>(contact);
  const known = id === null ? null : await readBillingContact(trx, id);
  if (known === null || known.customerId !== owner.customerId) throw notFound("link");
  await deleteBillingContact(trx, known.id);
  await changed(trx, owner, "billing-contact.remove", known.id);
  return known;
}

const changed = (trx: Trx, { customerId, by }: OwnerRequest, action: string, contact: string) =>
  recordAudit(trx, { userId: by, action, subject: `customer:${customerId}`, data: { contact } });

/** Creates the link's token while the mail is sent. @returns the token, only ever to be put in the mail */
export async function mintContactToken(db: Db, contactId: BillingContactId): Promise<string> {
  const token = newToken();
  await insertContactLink(db, {
    hash: hashToken(token),
    contactId,
    expiresAt: new Date(Date.now() + linkMs),
  });
  return token;
}

/**
 * Returns the contact of a link; null for a link that no longer works. Opening it changes nothing, so it works more than once.
 */
export function contactOfToken(db: Db, token: string): Promise<BillingContact | null> {
  return readContactOfLink(db, hashToken(token), new Date());
}

/**
 * Stores the reader's answer.
 * @param answer "confirm": documents may be sent; "stop": nothing is sent any more
 * @throws DomainError not_found for a link that no longer works
 */
export async function answerContactRequest(
  trx: Trx,
  token: string,
  answer: "confirm" | "stop",
): Promise<BillingContact> {
  const contact = await contactOfToken(trx, token);
  if (contact === null) throw notFound("link");
  const { id, customerId } = contact;
  if (answer === "confirm") await confirmBillingContact(trx, id, new Date());
  else await deleteBillingContact(trx, id);
  await recordAudit(trx, {
    userId: null,
    action: `billing-contact.${answer}`,
    subject: `customer:${customerId}`,
    data: { contact: id },
  });
  return contact;
}

/** Lists the contacts who have agreed to get such documents of a company. */
export async function listDocumentRecipients(
  db: Db,
  customerId: CustomerId,
  of: "getsInvoices" | "getsProformas",
): Promise<BillingContact[]> {
  const all = await listBillingContacts(db, customerId);
  return all.filter((contact) => contact.confirmedAt !== null && contact[of]);
}
