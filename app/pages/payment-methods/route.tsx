/**
 * `/payment-methods`: payment methods that buyers may know, and whether this store accepts each (docs/specification.md, section
 * 6).
 */
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { formatMoney } from "#server/catalogue/pricing/format.ts";
import {
  ceilingOf,
  exampleBillIn,
  formatPaymentMethods,
  instantMethodsFor,
  instantMethodsIn,
  isMethodEnabled,
} from "#server/catalogue/pricing/payment-methods.ts";
import { countries } from "#server/foundation/countries/registry.ts";
import type { PlainMessageKey } from "#server/foundation/languages/messages.ts";
import type { PaymentMethod } from "#server/platform/settings/payments.ts";
import { countryOfPrices } from "../../http/country.ts";
import { pageLoader } from "../../http/page.ts";
import { noindexMeta } from "../../ui/head.ts";
import { useTranslate } from "../../ui/text.tsx";

/** The specification's six, in its order. A QR code in the checkout is paid by UPI; no seller here sells on credit. */
const known: readonly { name: PlainMessageKey; method: PaymentMethod | null }[] = [
  { name: "paying.upiCode", method: "upi" },
  { name: "paying.cardName", method: "card" },
  { name: "paying.upi", method: "upi" },
  { name: "paying.netbankingName", method: "netbanking" },
  { name: "paying.walletName", method: "wallet" },
  { name: "paying.payLater", method: null },
];

export const meta = noindexMeta<{ title: string }>((data) => data?.title ?? "");

export const loader = pageLoader(z.unknown(), async (request) => {
  const { context, text, language } = request;
  const { env } = context;
  const country = await countryOfPrices(request);
  const inCheckout = instantMethodsIn(env, country);
  const withLink = isMethodEnabled(env, country, "link");
  const statusOf = (method: PaymentMethod | null): string => {
    if (method === null) return text("paying.notTaken");
    if (!inCheckout.includes(method)) return text(withLink ? "paying.takenByLink" : "paying.notTaken");
    const most = ceilingOf(env, country, method);
    return most === null ? text("paying.taken") : text("paying.takenUpTo", { most: formatMoney(most) });
  };
  const example = exampleBillIn(country);
  const methods = instantMethodsFor(env, country, example);
  return {
    title: text("paying.methodsTitle"),
    lead: text("paying.methodsLead", { country: countries[country].words[language].inSentence }),
    methods: known.map(({ name, method }) => ({ name: text(name), status: statusOf(method) })),
    example:
      methods.length === 0
        ? null
        : text("paying.exampleBill", {
            amount: formatMoney(example),
            methods: formatPaymentMethods(language, methods),
          }),
  };
});

export default function PaymentMethods() {
  const { title, lead, methods, example } = useLoaderData<typeof loader>();
  const text = useTranslate();
  return (
    <section className="page narrow">
      <h1>{title}</h1>
      <p className="lead">{lead}</p>
      <dl className="facts ruled">
        {methods.map(({ name, status }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{status}</dd>
          </div>
        ))}
      </dl>
      {example !== null && (
        <>
          <h2>{text("paying.exampleTitle")}</h2>
          <p>{example}</p>
        </>
      )}
    </section>
  );
}
