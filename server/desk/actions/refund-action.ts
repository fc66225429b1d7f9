/** The action that refunds an order: the rest of a payment or a part of it, in two steps, so that staff see the sum first. */
import { z } from "zod";
import { listReceivedPayments, type ReceivedPayment } from "#db/billing/received-payments.ts";
import type { OrderId } from "#db/ids.ts";
import { money } from "#db/money.ts";
import type { Db } from "#db/tables/index.ts";
import { hasReceivedMoney, refundableMinor } from "#server/billing/payments/refund.ts";
import { type RefundEffects, refundByStaff } from "#server/billing/payments/staff-refund.ts";
import { formatMoney } from "#server/catalogue/pricing/format.ts";
import { parseMinor } from "#server/catalogue/pricing/money.ts";
import { standardCountry } from "#server/foundation/countries/registry.ts";
import { wrongField } from "#server/foundation/errors.ts";
import { english, msg } from "#server/foundation/languages/text.ts";
import { formatDate } from "#server/orders/subscriptions/dates.ts";
import { paymentRowStatusLabels } from "../labels.ts";
import { moneyRoles } from "../roles.ts";
import { amountOf } from "../work-queue.ts";
import { type ActionContext, type ActionField, type ActionPreview, defineAction } from "./action.ts";
import { orderSubject } from "./subjects.ts";

const asks = z.object({
  payment: z.string("Choose a payment.").min(1, "Choose a payment.").max(100),
  much: z.enum(["all", "part"], "Choose all or a part."),
  amount: z.string().trim().max(20).default(""),
  /** Sent by the second step, for a sum that was refunded a short time ago. */
  again: z.enum(["no", "yes"]).default("no"),
  confirmed: z
    .string()
    .regex(/^\d{0,15}$/)
    .default(""),
});
type Asked = z.output<typeof asks>;

/** Lists an order's payments that are not fully refunded. */
async function refundable(db: Db, id: OrderId): Promise<ReceivedPayment[]> {
  return (await listReceivedPayments(db, id)).filter(
    (payment) => hasReceivedMoney(payment) && refundableMinor(payment) > 0,
  );
}

function leftOf(payment: ReceivedPayment): string {
  return amountOf({ amountMinor: refundableMinor(payment), currency: payment.currency }) ?? "unknown";
}

export const refundOrderAction = defineAction({
  label: "Refund",
  explains:
    "Refunds the original payment method and issues a credit note. It doesn't cancel anything at the vendor: do that first. The next page shows everything that happens, before it does.",
  subject: orderSubject,
  roles: moneyRoles,
  needsStepUp: true,
  reason: { label: "Reason", hint: "The customer sees this. Kept in the audit log." },
  asks,
  fields: async ({ id }, { db }) => fieldsFor(await refundable(db, id)),
  whyNot: async ({ id }, { db }) =>
    (await refundable(db, id)).length > 0 ? null : "There's nothing left to refund on this order.",
  preview: (context, { id }, input, reason) => preview(context, id, input, reason),
  async perform({ db, env }, _order, { payment, again, confirmed }, { staffId, by, reason }) {
    const done = await refundByStaff(db, env, {
      target: payment,
      // The sum that the button showed, which the preview would show again now.
      amountMinor: Number(confirmed),
      reason,
      allowDuplicate: again === "yes",
      by,
      staffId,
      isConfirmed: true,
    });
    return {
      said:
        done.outcome === "repeated"
          ? `Nothing was done: ${formatMoney(done.amount)} was requested in the last 24 hours for the same reason.`
          : `${formatMoney(money(done.amount.minor, done.amount.currency))} is being refunded.`,
    };
  },
});

function fieldsFor(payments: readonly ReceivedPayment[]): ActionField[] {
  const [only, ...others] = payments;
  if (only === undefined) return [];
  const options = payments.map((payment) => ({
    value: payment.providerPaymentId,
    label: `${payment.providerPaymentId} (${paymentRowStatusLabels[payment.status]}), left: ${leftOf(payment)}`,
  }));
  const isOnly = others.length === 0;
  const most = isOnly ? `, up to ${leftOf(only)}` : "";
  return [
    isOnly
      ? { name: "payment", label: "", kind: "hidden", value: only.providerPaymentId }
      : { name: "payment", label: "Payment", kind: "choice", options },
    {
      name: "much",
      label: "How much?",
      kind: "radio",
      value: "all",
      options: [
        {
          value: "all",
          label: isOnly ? `All ${leftOf(only)}` : "All",
          hint: isOnly
            ? `The rest of the payment of ${formatDate(only.receivedAt, standardCountry)}`
            : "The rest of the payment",
        },
        { value: "part", label: "A part", hint: `You enter the amount${most}` },
      ],
    },
    {
      name: "amount",
      label: "Amount of the part",
      hint: "In the payment's currency, such as 1234.50.",
      kind: "amount",
      onlyFor: "part",
    },
  ];
}

async function preview(
  { db, env }: ActionContext,
  id: OrderId,
  { payment, much, amount, again }: Asked,
  reason: string,
): Promise<ActionPreview> {
  const payments = await listReceivedPayments(db, id);
  if (!payments.some(({ providerPaymentId }) => providerPaymentId === payment))
    throw wrongField("payment", "That payment isn't for this order.");
  const partMinor = much === "part" ? parseMinor(amount) : null;
  if (much === "part" && partMinor === null)
    throw wrongField("amount", "Enter the amount of the part, such as 1234.50.");
  const plan = (allowDuplicate: boolean) =>
    refundByStaff(db, env, {
      target: payment,
      amountMinor: partMinor,
      reason,
      allowDuplicate,
      by: "preview",
      isConfirmed: false,
    });
  const isRepeated = (await plan(false)).outcome === "repeated";
  const { amount: sum, effects } = await plan(true);
  if (effects === null) throw new RangeError("A planned refund has effects");
  const shown = formatMoney(effects.returned);
  return {
    lead: "You're about to refund",
    sum: shown,
    facts: factsOf(effects, reason),
    effects: effectsOf(effects),
    warning: isRepeated
      ? `${formatMoney(sum)} was already requested in the last 24 hours for the same reason.`
      : null,
    dismiss: "Don't refund",
    button: isRepeated ? `Refund ${shown} again` : `Refund ${shown}`,
    confirms: { confirmed: String(sum.minor), again: isRepeated ? "yes" : again },
  };
}

function factsOf({ method, receivedAt, buyer, left }: RefundEffects, reason: string): ActionPreview["facts"] {
  const way = english(msg("mail.moneyBackTo", { method: method ?? "unknown" }));
  const paid = formatDate(receivedAt, standardCountry);
  return [
    { label: "To", value: buyer?.company ?? "The buyer", note: `${way}, on ${paid}` },
    { label: "Reason", value: reason },
    { label: "Left afterwards", value: formatMoney(left) },
  ];
}

function effectsOf({ credit, buyer }: RefundEffects): string[] {
  const mails = buyer === null ? [] : [`The buyer gets an email at ${buyer.email}.`];
  return [
    credit === null
      ? "No credit note is issued: this money was never invoiced."
      : `A credit note for ${formatMoney(credit)} is issued.`,
    ...mails,
    "Nothing is cancelled at the vendor.",
  ];
}
