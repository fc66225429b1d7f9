/** Former names and addresses of a company that only its invoices still show. */
import { listInvoicedIdentities } from "#db/accounts/company-profile.ts";
import type { Address } from "#db/accounts/customers.ts";
import type { CustomerId } from "#db/ids.ts";
import type { Db } from "#db/tables/index.ts";
import { addressLinesOf, invoiceFactsSchema } from "./facts.ts";

/** Number of invoices searched; older ones are found through their orders. */
const maxInvoices = 500;

export interface EarlierIdentity {
  /** Name and address as those invoices print them. */
  lines: string[];
  gstin: string | null;
  invoices: number;
  newest: string;
}

/** Lists the recipients on a company's newest invoices that match none of its addresses under its current name, newest first. */
export async function listEarlierIdentities(
  db: Db,
  { id, name, places }: { id: CustomerId; name: string; places: readonly Address[] },
): Promise<EarlierIdentity[]> {
  const present = new Set(
    places.map((place) => keyOf([name, ...addressLinesOf(place), place.gstCode ?? ""])),
  );
  const invoiced = await listInvoicedIdentities(db, id, maxInvoices);
  return invoiced
    .map(({ recipient: stored, invoices, newest }) => {
      const recipient = invoiceFactsSchema.shape.recipient.parse(stored);
      // The last line is the country, in the language of the invoice.
      const address = recipient.addressLines.slice(0, -1);
      const { name: called, gstin } = recipient;
      const lines = [called, ...address];
      return { lines, gstin, key: keyOf([...lines, gstin ?? ""]), invoices, newest };
    })
    .filter(({ key }) => !present.has(key))
    .map(({ key: _, ...earlier }) => earlier);
}

const keyOf = (lines: readonly string[]) => JSON.stringify(lines);
