/** View models of billing contacts. */
import { type BillingContact, listBillingContacts } from "#server/accounts/billing-contacts.ts";
import type { Membership } from "#server/accounts/customers.ts";
import type { Translate } from "#server/foundation/languages/messages.ts";
import type { RequestContext } from "../../http/request-context.ts";

/** "Invoices and credit notes" */
export function documentKindsText(
  { getsInvoices, getsProformas }: Pick<BillingContact, "getsInvoices" | "getsProformas">,
  text: Translate,
): string {
  if (getsInvoices && getsProformas) return text("billing.both");
  return text(getsInvoices ? "billing.invoicesOnly" : "billing.proformasOnly");
}

export async function contactsView({ context: { db }, text }: RequestContext, { id }: Membership) {
  return (await listBillingContacts(db, id)).map((contact) => ({
    id: contact.id,
    email: contact.email,
    what: documentKindsText(contact, text),
    state: text(contact.confirmedAt === null ? "billing.asked" : "billing.confirmed"),
  }));
}

export type ContactView = Awaited<ReturnType<typeof contactsView>>[number];
