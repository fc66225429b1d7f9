/**
 * What a provider tells of refunds by itself, in webhooks and lists: each refund is one row, in whichever order and however often it
 * is told of. One that a person began in the provider's dashboard is recorded.
 */
import { money } from "#db/money.ts";
import type { ProviderAccount } from "#db/payments.ts";
import { findToldRefund } from "#db/refunds.ts";
import type { Context } from "#server/context.ts";
import { currencies } from "#server/countries/country.ts";
import { told as say } from "#server/languages/text.ts";
import { lockOrder } from "#server/orders/find.ts";
import { findToldPayment } from "./find.ts";
import type { ToldRefund } from "./provider.ts";
import { broughtMoney, requestRefund } from "./refund.ts";
import { moveTo } from "./refund-outcome.ts";

/** Follows a refund that the provider tells of. Idempotent; a refund of money that is not ours is logged. */
export async function followRefund(
  context: Context,
  { provider }: Pick<ProviderAccount, "provider">,
  told: ToldRefund,
): Promise<void> {
  const { db, env, log } = context;
  const received = await findToldPayment(db, { provider, providerPaymentId: told.providerPaymentId });
  if (received === null || !broughtMoney(received)) {
    log.warn({ providerRefundId: told.id }, "a refund of a payment that is not ours");
    return;
  }
  const payment = { provider: received.provider, providerPaymentId: received.providerPaymentId };
  await db.transaction().execute(async (trx) => {
    const order = await lockOrder(trx, received.orderId);
    const known = await findToldRefund(trx, payment, told);
    if (known !== null) return moveTo(trx, known, told);
    // It changed nothing, and nobody here waits for it.
    if (told.status === "failed") return;
    const currency = currencies.find((each) => each === received.currency) ?? order.total.currency;
    const amount = money(told.amountMinor, currency);
    const reason = say("refusals.refundedByUs");
    await requestRefund(trx, env, { order, payment, amount, reason, by: "provider", made: told });
  });
}
