/** Opens the proforma of an order, for users who may open the order. */
import { redirect } from "@remix-run/node";
import type { Order } from "#db/orders/order.ts";
import { openTransfer } from "#server/billing/payments/bank-transfer/open-account.ts";
import { type TransferState, transferOf } from "#server/billing/payments/bank-transfer/transfer-state.ts";
import { isMisconfigured, isWayRefused } from "#server/billing/payments/refused-way.ts";
import { lookUpOnReopening } from "#server/billing/payments/sweep.ts";
import * as paths from "#server/foundation/paths.ts";
import { ProviderError } from "#server/integrations/errors.ts";
import type { RequestContext } from "../../http/request-context.ts";
import { openOrder } from "../../journey/guard.ts";

/**
 * Looks up arrived transfers at the provider, and retries an account that could not be opened before.
 * @throws a redirect to the login, or to the page that creates a proforma; DomainError not_found for another's order
 */
export async function openProforma(
  request: RequestContext,
  params: { id: string },
): Promise<TransferState & { order: Order; isMisconfigured: boolean }> {
  const { context } = request;
  let rejectsOurKey = false;
  let order = await openOrder(request, params);
  if (order.paymentStatus === "pending" && (await lookUpOnReopening(context, order.id)))
    order = await openOrder(request, params, { fresh: true });
  let state = await transferOf(context.db, order, new Date());
  if (state === null) throw redirect(paths.payAnotherWay(order.id));
  if (state.proforma.bank === null && state.isOpen) {
    try {
      await openTransfer(context, state.proforma.intentId);
      state = (await transferOf(context.db, order, new Date())) ?? state;
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      rejectsOurKey = isMisconfigured(error);
      context.log.warn({ err: error, orderId: order.id }, "the account of a proforma is not open yet");
    }
  }
  if (state.proforma.bank === null && (await isWayRefused(context.db, order, "transfer")))
    throw redirect(paths.payAnotherWay(order.id));
  return { ...state, order, isMisconfigured: rejectsOurKey };
}
