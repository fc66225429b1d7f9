/** Letters to billing contacts: the question whether they want a company's documents, and each document with its PDF. */
import { z } from "zod";
import { type BillingContactId, parseId, type UserId } from "#db/ids.ts";
import type { Mail } from "#db/mail/mails.ts";
import type { Order } from "#db/orders/order.ts";
import { mintContactToken, readBillingContact } from "#server/accounts/billing-contacts.ts";
import { findUser } from "#server/accounts/users.ts";
import { openDocument } from "#server/billing/documents/open-document.ts";
import { invoicePdf } from "#server/billing/documents/pdf.ts";
import type { LanguageId } from "#server/foundation/languages/language.ts";
import { textIn } from "#server/foundation/languages/text.ts";
import * as paths from "#server/foundation/paths.ts";
import { withoutContacts } from "#server/foundation/security/plain-text.ts";
import type { Context } from "#server/platform/context.ts";
import type { MailContent } from "./layout.ts";
import { safeName } from "./safe-name.ts";
import { templatesIn } from "./templates.ts";

const clean = (typed: string | null) => (typed === null ? null : withoutContacts(typed));

const factsSchema = z.object({
  contactId: z.string(),
  number: z.string().default(""),
  /** Name of the member who asks. */
  by: z.string().default(""),
});

/** @returns null for a mail that has become pointless: the contact is gone, or the document is not handed out */
export async function billingContactMail(
  { db, env }: Context,
  mail: Mail,
  order: Order | null,
  language: LanguageId,
): Promise<MailContent | null> {
  const facts = factsSchema.parse(mail.data);
  const id = parseId<BillingContactId>(facts.contactId);
  const contact = id === null ? null : await readBillingContact(db, id);
  if (contact === null) return null;
  const { getsInvoices, getsProformas } = contact;
  const company = safeName(contact.company) ?? textIn(language)("mail.aCompany");
  const templates = templatesIn(language);
  const link = async () => `${env.PUBLIC_URL}${paths.billingContact(await mintContactToken(db, contact.id))}`;
  if (mail.kind === "billing-contact") {
    const what = getsInvoices ? (getsProformas ? "both" : "invoicesOnly") : "proformasOnly";
    const by = parseId<UserId>(facts.by);
    const sender = by === null ? null : await findUser(db, by);
    return templates.billingContact({
      company,
      // Anybody can type any address, so only a proven one is shown.
      email: sender === null || sender.emailVerifiedAt === null ? null : sender.email,
      what: textIn(language)(`billing.${what}`),
      link: await link(),
    });
  }
  if (order === null || contact.confirmedAt === null) return null;
  const document = await openDocument(db, facts.number);
  if (document === null || document.view === null || document.notHandedOut !== null) return null;
  const { view, issuedAt, references, corrects } = document;
  const total = view.totals.find(({ strong }) => strong)?.value ?? "";
  const content = await invoicePdf(view, issuedAt);
  return templates.documentCopy({
    order,
    company,
    title: view.title,
    number: facts.number,
    corrects,
    references: {
      purchaseOrder: clean(references.purchaseOrder),
      costCentre: clean(references.costCentre),
      note: clean(references.note),
    },
    total,
    attachment: { fileName: view.fileName, type: "application/pdf", content },
    link: await link(),
  });
}
