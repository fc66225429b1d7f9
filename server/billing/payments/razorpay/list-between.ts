/**
 * Lists Razorpay's payments, refunds and disputes of a period as provider-independent records, with all pages
 * (docs/providers.md, section 3.7).
 */
import { maxListSize } from "#server/integrations/razorpay.ts";
import type { PaymentProvider } from "../provider.ts";
import { toProviderPayment } from "./account.ts";
import { toListedDispute, toReportedRefund } from "./events.ts";

export const listBetween: NonNullable<PaymentProvider["listBetween"]> = async (context, account, span) => {
  const razorpay = context.razorpayOf(account);
  const [payments, refunds] = await Promise.all([
    allOf((skip) => razorpay.listPaymentsBetween(span, skip)),
    listRefundsBetween(context, account, span),
  ]);
  return { payments: payments.map(toProviderPayment), refunds };
};

export const listRefundsBetween: NonNullable<PaymentProvider["listRefundsBetween"]> = async (
  context,
  account,
  span,
) => {
  const razorpay = context.razorpayOf(account);
  return (await allOf((skip) => razorpay.listRefundsBetween(span, skip))).map(toReportedRefund);
};

export const listDisputesBetween: NonNullable<PaymentProvider["listDisputesBetween"]> = async (
  context,
  account,
  span,
) => {
  const razorpay = context.razorpayOf(account);
  return (await allOf((skip) => razorpay.listDisputesBetween(span, skip))).map(toListedDispute);
};

async function allOf<Item>(page: (skip: number) => Promise<Item[]>): Promise<Item[]> {
  const all: Item[] = [];
  for (;;) {
    const items = await page(all.length);
    all.push(...items);
    if (items.length < maxListSize) return all;
  }
}
