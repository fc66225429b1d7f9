/** The order history for staff: everything stored about an order, in time order. */

import { findTenant } from "#db/accounts/tenants.ts";
import type { OrderId } from "#db/ids.ts";
import type { Order } from "#db/orders/order.ts";
import { listOrderEvents, type OrderEventKind, type OrderHistoryEvent } from "#db/orders/order-history.ts";
import type { Db } from "#db/tables/index.ts";
import { formatMoney } from "#server/catalogue/pricing/format.ts";
import { notFound } from "#server/foundation/errors.ts";
import { english } from "#server/foundation/languages/text.ts";
import { findOrder } from "#server/orders/find.ts";
import { orderNumber } from "#server/orders/number.ts";
import { actions, isActionId } from "./actions/registry.ts";
import {
  cancellationKindLabels,
  cancellationStateLabels,
  mailKindLabels,
  parseLabelKey,
  paymentRowStatusLabels,
} from "./labels.ts";
import { providerName } from "./reasons.ts";
import { amountOf } from "./work-queue.ts";

const kindWords: Readonly<Record<OrderEventKind, string>> = {
  order: "Order",
  step: "Request to the vendor",
  call: "Call",
  payment: "Payment",
  refund: "Refund",
  dispute: "Dispute",
  document: "Document",
  mail: "Email",
  cancellation: "Cancellation",
  audit: "Action",
};

export interface OrderHistoryEntry {
  at: Date;
  kind: OrderEventKind;
  title: string;
  detail: string | null;
  by: string | null;
  /** Name of the provider of a call; null for anything else. */
  provider: string | null;
}

export interface OrderHistory {
  order: Order;
  number: string;
  total: string;
  /** Account at the vendor that it goes into. */
  account: string;
  moments: OrderHistoryEntry[];
}

/** Formats an event's title for display. */
function titleOf({ kind, name, state }: Pick<OrderHistoryEvent, "kind" | "name" | "state">): string {
  switch (kind) {
    case "order":
      return `${kindWords.order} ${state}`;
    case "mail": {
      const mail = parseLabelKey(mailKindLabels, name);
      return `${kindWords.mail} "${mail === undefined ? name : mailKindLabels[mail]}": ${state}`;
    }
    case "payment": {
      const status = parseLabelKey(paymentRowStatusLabels, state);
      return `${kindWords.payment} ${name}: ${status === undefined ? state : paymentRowStatusLabels[status]}`;
    }
    case "cancellation": {
      const words = parseLabelKey(cancellationKindLabels, name);
      const how = parseLabelKey(cancellationStateLabels, state);
      const what = words === undefined ? kindWords.cancellation : cancellationKindLabels[words];
      return `${what}: ${how === undefined ? state : cancellationStateLabels[how]}`;
    }
    case "audit":
      return `${kindWords.audit} "${isActionId(name) ? actions[name].label : name}": ${state}`;
    default:
      return `${kindWords[kind]} ${name}: ${state}`;
  }
}

/** Returns the account at the vendor that an order goes into: its tenant, or the buyer's answer. */
async function accountSaid(db: Db, { signIn, details, tenantId }: Order): Promise<string> {
  const tenant = tenantId === null ? null : await findTenant(db, tenantId);
  if (tenant !== null) return tenant.domain;
  const domain = details.google?.domain ?? "";
  if (signIn === null) return details.addedTo ?? (domain === "" ? "not chosen yet" : domain);
  if ("prefix" in signIn) return `new: ${signIn.prefix}, user ${signIn.username}`;
  if (signIn.mode === "existing") return `the buyer's own: ${signIn.username}`;
  return "username" in signIn ? `new: ${domain}, user ${signIn.username}` : `moves to us: ${domain}`;
}

/** @throws DomainError not_found */
export async function readOrderHistory(db: Db, id: OrderId): Promise<OrderHistory> {
  const order = await findOrder(db, id);
  if (order === null) throw notFound("order");
  const moments = await listOrderEvents(db, id);
  return {
    order,
    number: orderNumber(order),
    total: formatMoney(order.total),
    account: await accountSaid(db, order),
    moments: moments.map(({ at, kind, name, state, detail, by, ...amount }) => {
      const sum = amountOf(amount);
      return {
        at,
        kind,
        title: `${titleOf({ kind, name, state })}${sum === null ? "" : `, ${sum}`}`,
        detail: detail === null ? null : english(detail),
        by,
        provider: kind === "call" ? providerName(name.split(" ", 1)[0] ?? "") : null,
      };
    }),
  };
}
