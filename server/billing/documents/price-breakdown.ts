/** "How this was computed" in sentences: the price list, the days, the tax with its reason, and the rounding. */
import { money } from "#db/money.ts";
import type { Order, Supply } from "#db/orders/order.ts";
import {
  type BreakdownInput,
  type BreakdownStep,
  computationOf,
} from "#server/catalogue/pricing/breakdown-steps.ts";
import { formatMoney } from "#server/catalogue/pricing/format.ts";
import type { LanguageId } from "#server/foundation/languages/language.ts";
import type { Translate } from "#server/foundation/languages/messages.ts";
import { textIn } from "#server/foundation/languages/text.ts";
import { linesOf } from "#server/orders/pricing.ts";
import { formatDate } from "#server/orders/subscriptions/dates.ts";
import { isExport, isToZone, priceTaxOf } from "#server/orders/supply.ts";
import { taxTexts } from "#server/orders/tax-texts.ts";
import { describeTax } from "./facts.ts";
import type { Invoice } from "./issue.ts";
import type { Supplier } from "./supplier.ts";

/** The tax of a purchase: its parts, and the place of supply that decides them. */
interface TaxFacts {
  taxes: BreakdownInput["taxes"];
  /** Null when no GST is charged. */
  place: string | null;
  supply: Pick<Supply, "type"> | null;
}

/** Explains the price of an order that may still change, with its current tax. */
export function breakdownOfDraft(order: Order, supplier: Supplier, language: LanguageId): string[] {
  const { taxes, placeOfSupply, supply } = describeTax(order, supplier, language);
  return sentencesOf(order, { taxes, place: placeOfSupply?.name ?? null, supply }, language);
}

/** Explains the price of an invoiced order, with the tax on the invoice, regardless of later changes. */
export function breakdownOfInvoice(order: Order, { facts }: Invoice, language: LanguageId): string[] {
  const taxes = facts.taxes.map(({ amountMinor, ...tax }) => ({
    ...tax,
    amount: money(amountMinor, facts.currency),
  }));
  const place = facts.placeOfSupply?.name ?? null;
  return sentencesOf(order, { taxes, place, supply: facts.supply ?? null }, language);
}

function sentencesOf(order: Order, tax: TaxFacts, language: LanguageId): string[] {
  const { details, total, line } = order;
  const { priced, proration } = details;
  const steps = computationOf({
    lines: linesOf(order),
    full: priced === undefined ? null : money(priced.fullMinor, line.unitPrice.currency),
    proration: proration ?? null,
    taxes: tax.taxes,
    total,
  });
  const text = textIn(language);
  const said = steps.map((step) => sentenceOf(step, { order, tax, text, language }));
  return tax.taxes.length > 0 ? said : withUntaxed(said, order, { text, language });
}

/** Inserts the reason for the missing tax before the total, where the tax would be. */
function withUntaxed(
  said: readonly string[],
  order: Order,
  { text, language }: { text: Translate; language: LanguageId },
): string[] {
  const why = taxTexts(priceTaxOf(order), language).whyNone ?? text("computed.noTax");
  return [...said.slice(0, -1), why, ...said.slice(-1)];
}

interface Telling {
  order: Order;
  tax: TaxFacts;
  text: Translate;
  language: LanguageId;
}

function sentenceOf(step: BreakdownStep, telling: Telling): string {
  const { text } = telling;
  const rounded = (isRounded: boolean) => (isRounded ? text("computed.rounded") : "");
  switch (step.kind) {
    case "list":
      return listSentence(step, telling);
    case "days":
      return text("computed.days", {
        left: step.daysLeft,
        all: step.daysInTerm,
        full: formatMoney(step.full),
        price: formatMoney(step.unitPrice),
        rounded: rounded(step.isRounded),
      });
    case "days-alone":
      return text("computed.daysAlone", {
        left: step.daysLeft,
        all: step.daysInTerm,
        price: formatMoney(step.unitPrice),
      });
    case "line":
      return text("computed.line", {
        licences: text("orders.licences", { count: step.quantity }),
        price: formatMoney(step.unitPrice),
        amount: formatMoney(step.amount),
      });
    case "subtotal":
      return text("computed.subtotal", { amount: formatMoney(step.subtotal) });
    case "tax":
      return text("computed.tax", {
        name: step.name,
        rate: step.rateBasisPoints / 100,
        of: formatMoney(step.of),
        amount: formatMoney(step.amount),
        rounded: rounded(step.isRounded),
        why: whyTax(step.name, telling),
      });
    case "rounding":
      return text("computed.rounding", {
        before: formatMoney(step.before),
        amount: formatMoney(step.amount),
      });
    case "total":
      return text("computed.total", { amount: formatMoney(step.total) });
  }
}

/** Formats the list price. A plan that was on sale from the beginning has no date. */
function listSentence(
  { full }: { full: BreakdownInput["total"] },
  { order, text, language }: Telling,
): string {
  const { line, details, country } = order;
  const since = new Date(details.priced?.since ?? 0);
  const list = details.priced?.list ?? null;
  const values = {
    name: line.name,
    price: formatMoney(full),
    period: text(line.billingCycle === "annual" ? "computed.aYear" : "computed.aMonth"),
  };
  if (since.getTime() <= 0) return text("computed.firstList", values);
  const date = formatDate(since, country, language);
  return list === null
    ? text("computed.listSince", { ...values, date })
    : text("computed.listNumbered", { ...values, date, list: String(list) });
}

function whyTax(name: string, { tax: { place, supply }, text }: Telling): string {
  if (place === null) return "";
  if (supply !== null && isExport({ type: supply.type, letter: null })) return text("computed.whyExport");
  if (supply !== null && isToZone({ type: supply.type, letter: null })) return text("computed.whyZone");
  return text(name === "IGST" ? "computed.whyOther" : "computed.whySame", { place });
}
