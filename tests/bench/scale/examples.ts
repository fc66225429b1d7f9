/** Values for the fields of Desk's lists, taken from the store's data. */
import { sql } from "kysely";
import type { Db } from "#db/tables/index.ts";
import { orderNumber } from "#server/orders/number.ts";

/** Values by field name. */
export type Examples = ReadonlyMap<string, readonly string[]>;

/** @param db filled by `fillStore` */
export async function readExamples(db: Db, now = new Date()): Promise<Examples> {
  const { rows } = await sql<{
    id: string;
    number: number;
    createdAt: Date;
    email: string;
    gstin: string;
    domain: string;
    invoice: string;
    note: string;
    proforma: string;
    quote: string | null;
    requestPath: string | null;
    payment: string;
    refund: string;
    payout: string;
    bankReference: string;
    purchase: string;
    statement: string;
    account: string;
  }>`
    select o.id, o.number, o.created_at as "createdAt", u.email, a.gst_code as gstin, s.domain, i.number as invoice,
           n.number as note, (select number from proformas order by issued_at limit 1) as proforma,
           (select number || '/1' from quotes order by issued_at limit 1) as quote,
           (select email from quote_requests order by created_at limit 1) as asked,
           p.provider_payment_id as payment, r.provider_refund_id as refund, l.settlement_id as payout,
           l.bank_reference as "bankReference", b.external_id as purchase, b.statement, b.account
    from credit_notes n
    join refunds r on r.id = n.refund_id
    join invoices i on i.number = n.invoice_number
    join orders o on o.id = n.order_id
    join payments p on p.order_id = o.id and p.status = 'captured'
    join settlement_lines l on l.entity_id = p.provider_payment_id
    join users u on u.id = o.user_id
    join addresses a on a.customer_id = o.customer_id and a.gst_code is not null
    join subscriptions s on s.order_id = o.id
    join vendor_bill_lines b on b.subscription_id = s.id
    order by o.number desc limit 1 offset 5`.execute(db);
  const [one] = rows;
  if (one === undefined) throw new Error("The store is not filled");
  const day = (daysAgo: number) => new Date(now.getTime() - daysAgo * 86_400_000).toISOString().slice(0, 10);
  const months = [day(40).slice(0, 7), day(800).slice(0, 7)];
  const number = orderNumber(one);
  return new Map<string, readonly string[]>([
    [
      "search",
      // "shree" begins the names of many companies, the other text those of none.
      [
        number,
        ...[
          one.invoice,
          one.note,
          one.proforma,
          one.email,
          one.gstin,
          one.domain,
          one.payment,
          one.refund,
          one.payout,
        ],
        ...[one.quote, one.requestPath].filter((example) => example !== null),
        ...[one.bankReference, one.purchase, "shree", "nobody has this name"],
      ],
    ],
    ["staff", ["desk1", "nobody"]],
    ["action", ["order.", "order.refund", "difference."]],
    ["subject", [`order:${one.id}`]],
    ["recipient", [one.email, "operator"]],
    ["order", [number]],
    ["from", [day(30), day(900)]],
    ["to", [day(30), day(900)]],
    ["on", [day(0), day(400)]],
    ["month", months],
    ["payout", [one.payout]],
    ["statement", [one.statement]],
    ["account", [one.account]],
  ]);
}

/** @throws Error for a field without an example */
export function examplesFor(examples: Examples, name: string, pathname: string): readonly string[] {
  const known = examples.get(name);
  if (known === undefined)
    throw new Error(`Add an example for "${name}" of ${pathname} to tests/bench/scale/examples.ts`);
  return known;
}
