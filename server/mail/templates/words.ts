import type { Order } from "#db/order.ts";
import { brand } from "#server/brand.ts";
import type { LanguageId } from "#server/languages/language.ts";
import { textIn } from "#server/languages/text.ts";
import { orderNumber } from "#server/orders/number.ts";
import { priceTaxOf } from "#server/orders/supply.ts";
import { taxWords } from "#server/orders/tax-words.ts";
import { formatExact, formatMoney } from "#server/pricing/format.ts";
import type { Letter, Row } from "../layout.ts";
import { plainName } from "../plain-name.ts";

export const store = brand.name;

/** What the mails of all kinds say alike, in a language. */
export function wordsOf(language: LanguageId) {
  const text = textIn(language);
  return {
    text,
    seats: (count: number) => text("orders.licences", { count }),
    nameOf: (order: Order | null) => order?.line.name ?? text("mail.yourSubscription"),
    numbered: (order: Order | null): Pick<Letter, "orderNumber"> =>
      order === null ? {} : { orderNumber: orderNumber(order) },
    asideOf: (invoice: string | null): Pick<Letter, "aside"> =>
      invoice === null ? {} : { aside: { label: text("mail.invoice"), link: invoice } },
    open: (link: string) => ({ label: text("mail.openOrder"), link }),
  };
}

export function billOf(order: Order, language: LanguageId): { bill: Row[]; amount: Row } {
  const text = textIn(language);
  const { name: tax } = taxWords(priceTaxOf(order), language);
  return {
    bill: [
      {
        label: text("mail.billLine", {
          name: order.line.name,
          licences: text("orders.licences", { count: order.line.quantity }),
        }),
        value: formatExact(order.subtotal),
      },
      ...(tax === null
        ? []
        : [
            {
              label: text("mail.tax", { name: tax, rate: order.taxRateBasisPoints / 100 }),
              value: formatExact(order.tax),
            },
          ]),
      ...(order.rounding.minor === 0
        ? []
        : [{ label: text("mail.rounding"), value: formatExact(order.rounding) }]),
    ],
    amount: { label: text("mail.paid"), value: formatMoney(order.total) },
  };
}

export function nameForStrangers(company: string, language: LanguageId): string {
  const name = plainName(company);
  return name === null ? textIn(language)("mail.aCompany") : `“${name}”`;
}
