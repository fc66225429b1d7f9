/** Letters to billing contacts: the question whether they want a company's documents, and each document with its PDF. */
import { z } from "zod";
import { type BillingContactId, parseId } from "#db/ids.ts";
import type { Mail } from "#db/mails.ts";
import type { Order } from "#db/order.ts";
import { mintContactToken, readBillingContact } from "#server/accounts/billing-contacts.ts";
import type { Context } from "#server/context.ts";
import { openDocument } from "#server/documents/open.ts";
import { invoicePdf } from "#server/documents/pdf.ts";
import type { LanguageId } from "#server/languages/language.ts";
import { textIn } from "#server/languages/text.ts";
import * as paths from "#server/paths.ts";
import type { Letter } from "./layout.ts";
import { templatesIn } from "./templates.ts";

const factsSchema = z.object({ contactId: z.string(), number: z.string().default("") });

/** @returns null for one that has become pointless: the contact is gone, or the document is not handed out */
export async function billingLetter(
  { db, env }: Context,
  mail: Mail,
  order: Order | null,
  language: LanguageId,
): Promise<Letter | null> {
  const facts = factsSchema.parse(mail.data);
  const id = parseId<BillingContactId>(facts.contactId);
  const contact = id === null ? null : await readBillingContact(db, id);
  if (contact === null) return null;
  const { company, getsInvoices, getsProformas } = contact;
  const templates = templatesIn(language);
  const link = async () => `${env.PUBLIC_URL}${paths.billingContact(await mintContactToken(db, contact.id))}`;
  if (mail.kind === "billing-contact") {
    const what = getsInvoices ? (getsProformas ? "both" : "invoicesOnly") : "proformasOnly";
    return templates.billingContact({
      company,
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
    references,
    total,
    attachment: { fileName: view.fileName, type: "application/pdf", content },
    link: await link(),
  });
}
