/** The state of the bank transfer for a proforma, for its buyer. */

import { findIntent } from "#db/billing/payment-intents.ts";
import { listPayments } from "#db/billing/payments.ts";
import { readAwaitedTransfers } from "#db/billing/proformas.ts";
import type { OrderId } from "#db/ids.ts";
import { money } from "#db/money.ts";
import type { Order } from "#db/orders/order.ts";
import type { Db } from "#db/tables/index.ts";
import { findProforma, type Proforma } from "#server/billing/documents/proforma.ts";
import { formatMoney } from "#server/catalogue/pricing/format.ts";
import { perLanguage } from "#server/foundation/languages/language.ts";
import { type MessageDescriptor, msg, translate } from "#server/foundation/languages/text.ts";
import { afterPayment } from "#server/fulfilment/buyer-notes.ts";
import { isPaid, isRefunded } from "#server/orders/payment-state.ts";
import { localisedDate } from "#server/orders/subscriptions/dates.ts";
import { isCertified } from "../certificates.ts";

export interface TransferState {
  proforma: Proforma;
  /** The state as text for the buyer. */
  said: MessageDescriptor;
  mood: "info" | "success" | "due" | "error";
  /** Whether money is still expected. */
  isOpen: boolean;
  /** Amount still to transfer in minor units; less than the total once a part has arrived. */
  missingMinor: number;
}

/** Reads an order's transfer. @returns null for an order without a proforma */
export async function transferOf(db: Db, order: Order, now: Date): Promise<TransferState | null> {
  const proforma = await findProforma(db, order.id);
  if (proforma === null) return null;
  const { facts, withheldMinor, certifiedMinor, surplusMinor } = proforma;
  const shown = (minor: number) => formatMoney(money(minor, facts.currency));
  const over = (mood: TransferState["mood"], said: MessageDescriptor) => ({
    proforma,
    said,
    mood,
    isOpen: false,
    missingMinor: 0,
  });
  const open = (mood: TransferState["mood"], said: MessageDescriptor, missingMinor = facts.totalMinor) => ({
    proforma,
    said,
    mood,
    isOpen: true,
    missingMinor,
  });
  if (isRefunded(order)) return over("error", msg("paying.givenBack"));
  const intent = await findIntent(db, { id: proforma.intentId });
  if (intent?.status === "paid") {
    const next = perLanguage((language) => translate(language, afterPayment(order)));
    if (withheldMinor > 0) {
      const openMinor = withheldMinor - certifiedMinor;
      return isCertified(openMinor)
        ? over("success", msg("paying.arrivedCertified", { withheld: shown(withheldMinor) }))
        : over("success", msg("paying.arrivedShort", { withheld: shown(openMinor), next }));
    }
    if (surplusMinor > 0)
      return over("success", msg("paying.arrivedOver", { surplus: shown(surplusMinor), next }));
    return over("success", msg("paying.arrivedAll", { next }));
  }
  const credits = (await listPayments(db, order.id)).filter(
    ({ provider, providerOrderId }) =>
      provider === intent?.provider && providerOrderId === intent.providerOrderId,
  );
  const held = credits.find(({ status }) => status === "mismatch");
  if (held !== undefined) {
    const problem = perLanguage((language) => translate(language, held.problem ?? ""));
    return over("due", msg("paying.held", { problem }));
  }
  const received = credits
    .filter(({ status }) => status === "part")
    .reduce((sum, { amountMinor }) => sum + (amountMinor ?? 0), 0);
  if (received > 0) {
    const missingMinor = facts.totalMinor - received;
    const said = msg("paying.arrivedPart", { received: shown(received), missing: shown(missingMinor) });
    return open("due", said, missingMinor);
  }
  if (isPaid(order) || intent?.status === "superseded") return over("error", msg("paying.replaced"));
  if (now > proforma.validUntil)
    return open(
      "due",
      msg("paying.waitingLate", { date: localisedDate(proforma.validUntil, order.country) }),
    );
  return open("info", msg("paying.waiting", { total: shown(facts.totalMinor) }));
}

/** Maps each order that expects a transfer to a short text with the end date. */
export async function readTransferStates(
  db: Db,
  orders: readonly Order[],
  now: Date,
): Promise<ReadonlyMap<OrderId, MessageDescriptor>> {
  const ids = orders.map(({ id }) => id);
  const until = await readAwaitedTransfers(db, ids);
  return new Map(
    orders.flatMap(({ id, country }) => {
      const validUntil = until.get(id);
      if (validUntil === undefined) return [];
      const date = localisedDate(validUntil, country);
      return [[id, msg(now > validUntil ? "paying.isLate" : "paying.isAwaited", { date })] as const];
    }),
  );
}

/** Whether an order expects a bank transfer. */
export async function hasOpenProforma(db: Db, order: Order): Promise<boolean> {
  const proforma = await findProforma(db, order.id);
  if (proforma === null) return false;
  return (await findIntent(db, { id: proforma.intentId }))?.status === "open";
}
