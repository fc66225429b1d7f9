import type { Order } from "#db/orders/order.ts";
import { formatExact, formatMoney } from "#server/catalogue/pricing/format.ts";
import { brand } from "#server/foundation/brand.ts";
import type { LanguageId } from "#server/foundation/languages/language.ts";
import { textIn } from "#server/foundation/languages/text.ts";
import { orderNumber } from "#server/orders/number.ts";
import { priceTaxOf } from "#server/orders/supply.ts";
import { taxTexts } from "#server/orders/tax-texts.ts";
import type { ContentRow, MailContent } from "../layout.ts";
import { safeName } from "../safe-name.ts";

export const store = brand.name;

/** Returns the texts that all kinds of mails share, in a language. */
export function sharedTextsIn(language: LanguageId) {
  const text = textIn(language);
  return {
    text,
    seats: (count: number) => text("orders.licences", { count }),
    nameOf: (order: Order | null) => order?.line.name ?? text("mail.yourSubscription"),
    numbered: (order: Order | null): Pick<MailContent, "orderNumber"> =>
      order === null ? {} : { orderNumber: orderNumber(order) },
    asideOf: (invoice: string | null): Pick<MailContent, "aside"> =>
      invoice === null ? {} : { aside: { label: text("mail.invoice"), link: invoice } },
    open: (link: string) => ({ label: text("mail.openOrder"), link }),
  };
}

export function priceSummaryRows(
  order: Order,
  language: LanguageId,
): { bill: ContentRow[]; amount: ContentRow } {
  const text = textIn(language);
  const { name: tax } = taxTexts(priceTaxOf(order), language);
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
  const name = safeName(company);
  return name === null ? textIn(language)("mail.aCompany") : `“${name}”`;
}
