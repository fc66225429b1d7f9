/**
 * 2,000 lives of a subscription under the store's own rules for price, tax, transfer, refund and document: after any purchase,
 * addition, renewal, return, dispute or refund, the documents match the money to the paisa and the cent.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { PaidOrder } from "#db/billing/cancellable-orders.ts";
import { money } from "#db/money.ts";
import type { Order, Supply } from "#db/orders/order.ts";
import type { BillingCycle, Country, OrderKind, Term } from "#db/tables/enums.ts";
import { sandboxSellers } from "#sandbox/local/environment.ts";
import { batchOf, refundOfAll, refundOfSome } from "#server/billing/cancellations/refund-calculation.ts";
import { type CreditNoteFacts, creditNoteFacts } from "#server/billing/documents/credit-note-facts.ts";
import { toRegistrable } from "#server/billing/documents/e-invoice-body.ts";
import { type InvoiceFacts, invoiceFacts } from "#server/billing/documents/facts.ts";
import { isPlaced, returnDocument } from "#server/billing/documents/gstr1/documents.ts";
import { type Gstr1, gstr1 } from "#server/billing/documents/gstr1/tables.ts";
import { type Sellers, supplierOf } from "#server/billing/documents/supplier.ts";
import { type DocumentAmounts, taxCurrencyAmounts } from "#server/billing/documents/tax-currency.ts";
import { matchCredits } from "#server/billing/payments/matching.ts";
import { divideRefund, spread } from "#server/catalogue/pricing/refund.ts";
import { plansOf, priceSelection, type Selection, tooSmallToPay } from "#server/orders/pricing.ts";
import { prorationOf } from "#server/orders/subscriptions/proration.ts";
import { endOfTerm, renewedTerm } from "#server/orders/subscriptions/term.ts";
import { taxRateOf } from "#server/orders/supply.ts";
import { catalogue } from "#tests/support/catalogue/index.ts";
import { accountAnswers, catalogueItem, pricedOrder } from "#tests/support/priced-order.ts";

const indian = required(sandboxSellers.sellers.get("IN"));
const letter = "AD290326000103V";

interface Buyer {
  supply: Supply | null;
  country: Country;
  gstin: string | null;
  state: string;
}
/** Buyers in the seller's state, in another state, in a zone and abroad, with and without tax; and a seller in the USA. */
const buyers: readonly Buyer[] = [
  { supply: { type: "B2C", letter: null }, country: "IN", gstin: null, state: "Karnataka" },
  { supply: { type: "B2C", letter: null }, country: "IN", gstin: null, state: "Kerala" },
  { supply: { type: "B2B", letter: null }, country: "IN", gstin: "29AABCB1234C1ZA", state: "Karnataka" },
  { supply: { type: "B2B", letter: null }, country: "IN", gstin: "27AAPFU0939F1ZV", state: "Maharashtra" },
  { supply: { type: "SEZWP", letter: null }, country: "IN", gstin: "29AAGCS5678Q1Z7", state: "Karnataka" },
  { supply: { type: "SEZWOP", letter }, country: "IN", gstin: "29AAGCS5678Q1Z7", state: "Karnataka" },
  { supply: { type: "EXPWP", letter: null }, country: "US", gstin: null, state: "Texas" },
  { supply: { type: "EXPWOP", letter }, country: "US", gstin: null, state: "Texas" },
  { supply: null, country: "US", gstin: null, state: "Texas" },
];

type Way =
  | { by: "card" }
  /** Cut into parts at these thousandths of the total; `is` names the sum of the parts. */
  | { by: "transfer"; cuts: number[]; is: "full" | "over" | 200 | 1_000; overMinor: number };
type Act =
  | { act: "more" | "renew"; seats: number; way: Way }
  | { act: "reduce"; seats: number }
  | { act: "cancel" }
  /** Share of the payment's rest, in thousandths; or a few paise or cents. */
  | { act: "refund" | "lose"; of: number; payment: number; share: number; fewMinor: number | null }
  | { act: "fail"; refund: number; isTooLateToCancel: boolean }
  | { act: "certificate comes as money"; of: number }
  | { act: "wait"; hours: number };

const way: fc.Arbitrary<Way> = fc.oneof(
  fc.constant({ by: "card" } as const),
  fc.record({
    by: fc.constant("transfer" as const),
    cuts: fc.array(fc.integer({ min: 1, max: 999 }), { maxLength: 2 }),
    is: fc.constantFrom("full" as const, "over" as const, 200 as const, 1_000 as const),
    overMinor: fc.integer({ min: 1, max: 100_000 }),
  }),
);
const pick = fc.nat(20);
const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      act: fc.constantFrom("more" as const, "renew" as const),
      seats: fc.integer({ min: 1, max: 40 }),
      way,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ act: fc.constant("reduce" as const), seats: fc.integer({ min: 1, max: 25 }) }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant("cancel" as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constantFrom("refund" as const, "refund" as const, "lose" as const),
      of: pick,
      payment: pick,
      share: fc.oneof(fc.integer({ min: 0, max: 1_000 }), fc.constant(1_000)),
      fewMinor: fc.option(fc.integer({ min: 1, max: 3 })),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant("fail" as const),
      refund: pick,
      isTooLateToCancel: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant("certificate comes as money" as const), of: pick }) },
  {
    weight: 2,
    arbitrary: fc.record({ act: fc.constant("wait" as const), hours: fc.integer({ min: 0, max: 24 * 40 }) }),
  },
);
const life = fc.record({
  buyer: fc.constantFrom(...buyers),
  // More often of the vendor that accepts returns.
  item: fc.constantFrom(
    ...catalogue.map(({ id }) => id),
    ...catalogue.flatMap(({ id, family }) => (family === "microsoft" ? [id, id] : [])),
  ),
  plan: fc.nat(),
  seats: fc.integer({ min: 1, max: 60 }),
  way,
  acts: fc.array(act, { maxLength: 14 }),
});
type Life = typeof life extends fc.Arbitrary<infer Value> ? Value : never;

interface Note {
  facts: CreditNoteFacts;
  number: string;
  serial: number;
  isVoid: boolean;
}
interface Refund {
  amountMinor: number;
  surplusMinor: number;
  isFailed: boolean;
  note: Note | null;
}
interface Payment {
  amountMinor: number;
  refunds: Refund[];
  lostMinor: number;
}
interface Bought {
  order: Order;
  seatsReturned: number;
  payments: Payment[];
  withheldMinor: number;
  surplusMinor: number;
  invoice: { number: string; serial: number; issuedAt: Date; facts: InvoiceFacts };
  notes: Note[];
}

const sum = <Each>(all: readonly Each[], of: (each: Each) => number) =>
  all.reduce((total, each) => total + of(each), 0);
const held = ({ refunds }: Payment) => refunds.filter(({ isFailed }) => !isFailed);
const goneOf = (payment: Payment) => payment.lostMinor + sum(held(payment), ({ amountMinor }) => amountMinor);
const leftOf = (payment: Payment) => payment.amountMinor - goneOf(payment);
const returnedOf = ({ payments }: Bought) => sum(payments.flatMap(held), ({ surplusMinor }) => surplusMinor);
const refundedOf = ({ payments }: Bought) =>
  sum(payments.flatMap(held), ({ amountMinor, surplusMinor }) => amountMinor - surplusMinor);
const holding = ({ notes }: Bought) => notes.filter(({ isVoid }) => !isVoid);
const creditedOf = (bought: Bought) => sum(holding(bought), ({ facts }) => facts.totalMinor);

/** A subscription with its orders, payments, refunds and documents. */
class Subscription {
  readonly bought: Bought[] = [];
  private now = new Date("2026-05-04T08:00:00Z");
  private serial = 0;
  private start = this.now;
  private end = this.now;
  private next: { start: Date; quantity: number } | null = null;
  private seats = 0;
  private isCancelled = false;
  private readonly item;
  private readonly plan: { term: Term; billingCycle: BillingCycle };
  private readonly sellers: Sellers;

  constructor(private readonly life: Life) {
    const { country, supply } = life.buyer;
    this.item = catalogueItem(life.item);
    const plans = plansOf(this.item, country);
    this.plan = plans[life.plan % plans.length] ?? { term: "P1Y", billingCycle: "annual" };
    const seller = supply === null ? required(sandboxSellers.sellers.get("US")) : indian;
    this.sellers = { ...sandboxSellers, sellers: new Map([[country, seller]]) };
    this.pay("NEW", life.seats, life.way);
  }

  do(action: Act): void {
    switch (action.act) {
      case "renew":
        if (this.isCancelled || this.seats === 0 || this.next !== null) return;
        this.pay("RENEW", action.seats, action.way);
        return;
      case "more":
        if (this.isCancelled || this.seats === 0 || this.end <= this.now) return;
        this.pay("ADD", action.seats, action.way);
        return;
      case "reduce":
        this.giveBack(refundOfSome(this.of, this.batches(), action.seats, this.now));
        return;
      case "cancel":
        this.isCancelled = true;
        this.giveBack(refundOfAll(this.of, this.batches()));
        return;
      case "refund": {
        const [bought, payment] = this.paymentAt(action);
        const left = leftOf(payment);
        const amountMinor = Math.min(left, action.fewMinor ?? Math.floor((left * action.share) / 1_000));
        if (amountMinor > 0) this.refund(bought, payment, amountMinor, { isOfLicences: false });
        return;
      }
      case "lose": {
        const [, payment] = this.paymentAt(action);
        payment.lostMinor += Math.floor((leftOf(payment) * action.share) / 1_000);
        return;
      }
      case "fail":
        this.fail(action.refund, action.isTooLateToCancel);
        return;
      case "certificate comes as money": {
        const bought = at(this.bought, action.of);
        if (bought.withheldMinor === 0) return;
        bought.payments.push({ amountMinor: bought.withheldMinor, refunds: [], lostMinor: 0 });
        bought.withheldMinor = 0;
        return;
      }
      case "wait":
        this.now = new Date(this.now.getTime() + action.hours * 3_600_000);
    }
  }

  /** Refunds the rest of every payment. */
  refundAll(): void {
    for (const bought of this.bought)
      for (const payment of bought.payments)
        if (leftOf(payment) > 0) this.refund(bought, payment, leftOf(payment), { isOfLicences: false });
  }

  private get of() {
    return { country: this.life.buyer.country, family: this.item.family };
  }

  private paymentAt({ of, payment }: { of: number; payment: number }): [Bought, Payment] {
    const bought = at(this.bought, of);
    return [bought, at(bought.payments, payment)];
  }

  private select(kind: OrderKind, seats: number): { selection: Selection; details: Order["details"] } {
    const { minSeats, maxSeats } = this.item;
    const most = maxSeats ?? 10_000;
    const quantity =
      kind === "ADD"
        ? Math.min(seats, Math.max(0, most - this.seats))
        : Math.min(most, Math.max(minSeats, seats));
    const isNew = kind === "NEW";
    const google = { domain: "acme.com", customerType: isNew ? "new_signup" : "existing_customer" } as const;
    const proration =
      kind === "ADD"
        ? {
            ...prorationOf(
              {
                start: this.start,
                end: this.end,
                next: this.next,
                anchorDay: null,
                term: this.plan.term,
                country: this.life.buyer.country,
              },
              this.now,
            ),
            until: this.end.toISOString(),
          }
        : undefined;
    const renewal = kind === "RENEW" ? { after: this.end.toISOString() } : undefined;
    const heldSeats = kind === "ADD" ? this.seats : 0;
    const selection = {
      ...this.plan,
      quantity,
      proration,
      renewal,
      heldSeats,
      ...(this.item.family === "google" && { google }),
    };
    const { supply } = this.life.buyer;
    return { selection, details: { proration, renewal, ...(supply !== null && { supply }) } };
  }

  private pay(kind: OrderKind, seats: number, way: Way): void {
    const { country, supply, gstin, state } = this.life.buyer;
    const { selection, details } = this.select(kind, seats);
    if (selection.quantity < 1) return;
    const priced = priceSelection(this.item, country, selection, taxRateOf(country, supply, this.now));
    if (tooSmallToPay({ kind, quantity: priced.quantity, total: priced.total }) !== null) return;
    const account = accountAnswers({ country, state, gst_code: gstin });
    const order = pricedOrder(this.item, country, selection, priced, {
      kind,
      account,
      details,
      paidAt: this.now,
    });
    const facts = invoiceFacts(order, supplierOf(this.sellers, country), "Acme Tools", "en", this.now);
    this.serial += 1;
    const invoice = { number: `T/${this.serial}`, serial: this.serial, issuedAt: this.now, facts };
    this.bought.unshift({ order, seatsReturned: 0, invoice, notes: [], ...received(order, way) });
    if (kind === "NEW")
      [this.start, this.end, this.seats] = [
        this.now,
        endOfTerm(this.now, this.plan.term, country),
        selection.quantity,
      ];
    if (kind === "ADD") this.seats += selection.quantity;
    if (kind === "RENEW") {
      const { start, end } = renewedTerm(
        { end: this.end, term: this.plan.term, anchorDay: details.renewal?.anchorDay },
        this.now,
        country,
      );
      if (start > this.now) this.next = { start, quantity: selection.quantity };
      else [this.start, this.seats] = [start, selection.quantity];
      this.end = end;
    }
  }

  private batches() {
    return this.bought.map((bought) => batchOf(paidOrderOf(bought), this.now, this.life.buyer.country));
  }

  private giveBack(back: ReturnType<typeof refundOfAll>): void {
    for (const { orderId, seats, amount } of back?.parts ?? []) {
      const bought = required(this.bought.find(({ order }) => order.id === orderId));
      bought.seatsReturned += seats;
      const payments = bought.payments.map((payment) => ({ payment, leftMinor: leftOf(payment) }));
      for (const part of spread(payments, amount.minor))
        this.refund(bought, part.payment.payment, part.amountMinor, { isOfLicences: true });
    }
  }

  private refund(
    bought: Bought,
    payment: Payment,
    amountMinor: number,
    how: { isOfLicences: boolean },
  ): void {
    const { surplusMinor, creditMinor } = divideRefund(
      amountMinor,
      {
        surplusMinor: bought.surplusMinor - returnedOf(bought),
        refundedMinor: refundedOf(bought),
        creditedMinor: creditedOf(bought),
      },
      how,
    );
    let note: Note | null = null;
    if (creditMinor > 0) {
      const earlier = holding(bought).map(({ facts }) => facts);
      this.serial += 1;
      const facts = creditNoteFacts(bought.invoice, earlier, { amountMinor: creditMinor, reason: "A test." });
      note = { facts, number: `T/C${this.serial}`, serial: this.serial, isVoid: false };
      bought.notes.push(note);
    }
    payment.refunds.push({ amountMinor, surplusMinor, isFailed: false, note });
  }

  private fail(which: number, isTooLateToCancel: boolean): void {
    const refunds = this.bought.flatMap(({ payments }) => payments.flatMap(held));
    if (refunds.length === 0) return;
    const refund = at(refunds, which);
    refund.isFailed = true;
    const { note } = refund;
    if (note === null) return;
    const isRegistered = toRegistrable({ facts: note.facts }) !== null;
    note.isVoid = !isRegistered || !isTooLateToCancel;
  }
}

/** Divides an order's total into payments, newest first, until the order counts as paid. */
function received(
  { total, subtotal }: Order,
  way: Way,
): Pick<Bought, "payments" | "withheldMinor" | "surplusMinor"> {
  const of = (amountMinor: number): Payment => ({ amountMinor, refunds: [], lostMinor: 0 });
  if (way.by === "card") return { payments: [of(total.minor)], withheldMinor: 0, surplusMinor: 0 };
  const withheld = typeof way.is === "number" ? Math.round((subtotal.minor * way.is) / 1_000_000) * 100 : 0;
  const sent = total.minor - withheld + (way.is === "over" ? way.overMinor : 0);
  const ends = [...new Set(way.cuts.map((cut) => Math.floor((sent * cut) / 1_000)))].filter(
    (end) => end > 0 && end < sent,
  );
  const payments: Payment[] = [];
  let receivedMinor = 0;
  for (const end of [...ends.toSorted((a, b) => a - b), sent, total.minor]) {
    // Newest first.
    if (end > receivedMinor) payments.unshift(of(end - receivedMinor));
    receivedMinor = Math.max(receivedMinor, end);
    const match = matchCredits({
      requestedMinor: total.minor,
      taxableMinor: subtotal.minor,
      receivedMinor,
      ratesBasisPoints: [200, 1_000],
    });
    if (match.state === "part") continue;
    const withheldMinor = match.state === "withheld" ? match.withheldMinor : 0;
    return { payments, withheldMinor, surplusMinor: match.state === "over" ? match.surplusMinor : 0 };
  }
  throw new Error("Expected the payments to complete the order");
}

/** Maps an order as the query of db/billing/cancellations.ts does. */
function paidOrderOf(bought: Bought): PaidOrder {
  const { order, payments, surplusMinor } = bought;
  const { currency } = order.total;
  const { term, billingCycle, quantity } = order.line;
  return {
    orderId: order.id,
    kind: order.kind,
    payments: payments.map((payment) => ({
      provider: "razorpay",
      providerPaymentId: "",
      leftMinor: leftOf(payment),
    })),
    paid: money(sum(payments, ({ amountMinor }) => amountMinor) - surplusMinor, currency),
    refunded: money(sum(payments, goneOf) - returnedOf(bought), currency),
    seats: quantity,
    seatsReturned: bought.seatsReturned,
    term,
    billingCycle,
    fulfilledAt: required(order.paidAt ?? undefined),
    details: { proration: order.details.proration, renewal: order.details.renewal },
  };
}

function at<Each>(all: readonly Each[], index: number): Each {
  return required(all[index % all.length]);
}

function required<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error("Expected a value");
  return value;
}

interface Heads {
  taxable: number;
  igst: number;
  cgst: number;
  sgst: number;
}
const headsOf = ({ subtotalMinor, taxes }: Pick<DocumentAmounts, "subtotalMinor" | "taxes">): Heads => {
  const named = (...names: string[]) =>
    sum(
      taxes.filter(({ name }) => names.includes(name)),
      ({ amountMinor }) => amountMinor,
    );
  return { taxable: subtotalMinor, igst: named("IGST"), cgst: named("CGST"), sgst: named("SGST", "UTGST") };
};
const heads = ["taxable", "igst", "cgst", "sgst"] as const;

/** Compares without `expect`, which is too slow for millions of comparisons; calls it only for a difference. */
function same(is: number, due: number): void {
  if (is !== due) expect(is).toBe(due);
}
function atLeast(is: number, least: number): void {
  if (!(is >= least)) expect(is).toBeGreaterThanOrEqual(least);
}

/** Rounding to whole rupees, plus a paisa or two per amount. */
const mostRoundingMinor = 60;

function checkOrder(bought: Bought): void {
  const { invoice, payments, withheldMinor, surplusMinor, seatsReturned, order } = bought;
  const { facts } = invoice;
  const notes = holding(bought).map((note) => note.facts);
  const credited = creditedOf(bought);
  const refunded = refundedOf(bought);
  const receivedMinor = sum(payments, ({ amountMinor }) => amountMinor);
  const surplusLeft = surplusMinor - returnedOf(bought);

  // Money: the payments add up to the invoice, and none refunds more than it brought.
  same(receivedMinor, facts.totalMinor - withheldMinor + surplusMinor);
  for (const payment of payments) atLeast(leftOf(payment), 0);
  atLeast(surplusLeft, 0);
  atLeast(order.line.quantity, seatsReturned);

  // Ledger: the money kept equals the total of the documents.
  const ahead = credited - refunded;
  atLeast(ahead, 0);
  const standing = bought.payments.some(({ refunds }) =>
    refunds.some(({ isFailed, note }) => isFailed && note?.isVoid === false),
  );
  if (!standing) same(ahead, 0);
  const kept = receivedMinor - sum(payments.flatMap(held), ({ amountMinor }) => amountMinor);
  same(kept - surplusLeft + withheldMinor - ahead, facts.totalMinor - credited);

  // The tax equals the charged tax, except for the odd paisa of its halves; the rest is rounding, of paise.
  const invoicedTax = sum(facts.taxes, ({ amountMinor }) => amountMinor);
  atLeast(1, Math.abs(invoicedTax - order.tax.minor));

  // Each document adds up, in its own currency and in that of GST, without negative amounts.
  for (const document of [facts, ...notes, ...[facts, ...notes].map(taxCurrencyAmounts)]) {
    const tax = sum(document.taxes, ({ amountMinor }) => amountMinor);
    same(document.subtotalMinor + tax + document.roundingMinor, document.totalMinor);
    atLeast(document.totalMinor, 1);
    atLeast(mostRoundingMinor, Math.abs(document.roundingMinor));
    const { cgst, sgst } = headsOf(document);
    same(cgst, sgst);
    for (const head of heads) atLeast(headsOf(document)[head], 0);
  }
  // Credit notes never exceed their invoice under any head; a fully credited invoice has no rest.
  atLeast(facts.totalMinor, credited);
  for (const figuresOf of [(document: InvoiceFacts): DocumentAmounts => document, taxCurrencyAmounts]) {
    const leftOf = (figure: (document: DocumentAmounts) => number) =>
      figure(figuresOf(facts)) - sum(notes, (note) => figure(figuresOf(note)));
    for (const head of heads) {
      const left = leftOf((document) => headsOf(document)[head]);
      atLeast(left, 0);
      if (credited === facts.totalMinor) same(left, 0);
    }
    if (credited === facts.totalMinor)
      same(
        leftOf(({ totalMinor }) => totalMinor),
        0,
      );
  }
  // Dollar amounts are stated in rupees at the invoice's rate, apart from a paisa per withdrawn note.
  const mostOffMinor = 1 + bought.notes.length - notes.length;
  for (const { inTaxCurrency, totalMinor } of [facts, ...notes]) {
    if (inTaxCurrency === undefined) continue;
    const exact = (totalMinor * inTaxCurrency.rateTenThousandths) / 10_000;
    atLeast(mostOffMinor, Math.abs(inTaxCurrency.totalMinor - exact));
  }
}

const minor = (amount: number | undefined) => Math.round((amount ?? 0) * 100);
type Row = { txval: number; iamt: number; camt?: number; samt?: number };
const ofRow = ({ txval, iamt, camt, samt }: Row): Heads => ({
  taxable: minor(txval),
  igst: minor(iamt),
  cgst: minor(camt),
  sgst: minor(samt),
});

function rowsOf(table: Gstr1): { row: Row; sign: number }[] {
  const taken = (row: Row) => ({ row, sign: 1 });
  return [
    ...[...table.b2b, ...table.b2cl].flatMap(({ inv }) =>
      inv.flatMap(({ itms }) => itms.map(({ itm_det }) => taken(itm_det))),
    ),
    ...table.b2cs.map(taken),
    ...table.exp.flatMap(({ inv }) => inv.flatMap(({ itms }) => itms.map(taken))),
    ...[...table.cdnr.flatMap(({ nt }) => nt), ...table.cdnur].flatMap(({ itms }) =>
      itms.map(({ itm_det }) => ({ row: itm_det, sign: -1 })),
    ),
  ];
}

/** Checks that the return has the sums of the valid documents under each head, in rupees. */
function checkReturn({ bought }: Subscription): void {
  const documents = bought.flatMap(({ invoice, notes }) => [
    {
      kind: "invoice" as const,
      number: invoice.number,
      serial: invoice.serial,
      facts: invoice.facts,
      isCancelled: false,
    },
    ...notes.map(({ number, serial, facts, isVoid }) => ({
      kind: "credit note" as const,
      number,
      serial,
      facts,
      isCancelled: isVoid,
      invoiceTotalMinor: facts.invoice.totalMinor,
    })),
  ]);
  const made = documents.map((document) =>
    returnDocument({ ...document, series: document.kind, day: "2026-11-24" }),
  );
  const placed = made.filter(isPlaced);
  const [first] = documents;
  if (first?.facts.supply === undefined) {
    expect(placed).toEqual([]);
    return;
  }
  expect(placed).toHaveLength(documents.length);
  const table = gstr1(required(placed[0]).sellerGstin, "2026-11", placed);
  for (const head of heads) {
    const said = sum(rowsOf(table), ({ row, sign }) => sign * ofRow(row)[head]);
    const issued = sum(
      documents.filter(({ isCancelled }) => !isCancelled),
      ({ kind, facts }) => (kind === "invoice" ? 1 : -1) * headsOf(taxCurrencyAmounts(facts))[head],
    );
    same(said, issued);
    same(
      sum([...table.hsn.hsn_b2b, ...table.hsn.hsn_b2c], (row) => ofRow(row)[head]),
      issued,
    );
  }
}

test("matches documents and the return to the money after each event of 2,000 lives", () => {
  fc.assert(
    fc.property(life, (one) => {
      const subscription = new Subscription(one);
      for (const each of one.acts) {
        subscription.do(each);
        subscription.bought.forEach(checkOrder);
      }
      checkReturn(subscription);
      subscription.refundAll();
      subscription.bought.forEach(checkOrder);
      checkReturn(subscription);
      // Refunds and kept money equal the payments: only what a bank took is missing.
      for (const { payments } of subscription.bought)
        for (const payment of payments) expect(leftOf(payment)).toBe(0);
    }),
    { numRuns: 2_000 },
  );
});
