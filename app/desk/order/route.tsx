/** `/desk/orders/{id}`: why the order stopped, its history (newest first), and cards with its facts and staff actions. */

import { useLoaderData } from "@remix-run/react";
import type { OrderId } from "#db/ids.ts";
import { parseId } from "#db/ids.ts";
import type { Order as StoredOrder } from "#db/orders/order.ts";
import { hasOpenProforma } from "#server/billing/payments/bank-transfer/transfer-state.ts";
import { families } from "#server/catalogue/families/registry.ts";
import type { ActionId } from "#server/desk/actions/action-ids.ts";
import { actsOfOrder } from "#server/desk/actions/registry.ts";
import { orderKindLabels, orderStateText, orderStateTone } from "#server/desk/labels.ts";
import { documentsOfOrder } from "#server/desk/lists/documents.ts";
import { readOrderHistory } from "#server/desk/order-history.ts";
import { readOrderMoney } from "#server/desk/order-money.ts";
import { quoteOfOrder } from "#server/desk/quotes.ts";
import { editorRoles, hasRole, maySee } from "#server/desk/roles.ts";
import { workItemsOfOrder } from "#server/desk/work-queue.ts";
import { countries } from "#server/foundation/countries/registry.ts";
import { notFound } from "#server/foundation/errors.ts";
import * as paths from "#server/foundation/paths.ts";
import { fullName } from "#server/foundation/placeholders.ts";
import { orderIdParams } from "../../params.ts";
import { noindexMeta } from "../../ui/head.ts";
import { deskHandle } from "../handle.ts";
import { deskLoader } from "../route-builders.ts";
import { StateBadge } from "../state-badge.tsx";
import { ageText, timeView } from "../view.ts";
import { CustomerCard, DocumentsCard, MoneyCard, StateCard } from "./cards.tsx";
import { Quote } from "./quote.tsx";
import { Stopped } from "./stopped.tsx";
import { Story } from "./story.tsx";
import { quoteView, storyOf } from "./view.ts";

export const handle = deskHandle;
export const meta = noindexMeta<{ number: string }>((data) => data?.number ?? "");

/** The card of each staff action that does not concern the order's state. */
const cardOf: Partial<Record<ActionId, "money" | "customer" | "documents">> = {
  "order.refund": "money",
  "order.certificate": "money",
  "order.contact": "customer",
  "order.address": "customer",
  "order.resend-mail": "customer",
  "order.send-link": "customer",
  "document.retry": "documents",
  "document.cancel": "documents",
};

export const loader = deskLoader("order", orderIdParams, async ({ context, desk }, params) => {
  const id = parseId<OrderId>(params.id);
  if (id === null) throw notFound("order");
  const { role } = desk.staff;
  const { order, number, total, account, moments } = await readOrderHistory(context.db, id);
  const [possible, items, money] = await Promise.all([
    actsOfOrder(context, role, id),
    workItemsOfOrder(context.db, desk, id),
    readOrderMoney(context.db, id),
  ]);
  const isStopped = items.some(({ kind }) => kind === "stopped-order");
  const toLink = ({ id: act, label, subject }: (typeof possible)[number]) => ({
    label,
    href: paths.deskActionForm(act, subject),
  });
  const retry = possible.find(({ id: act }) => act === "order.retry");
  const actsOn = (card: string) =>
    possible
      .filter((each) => (cardOf[each.id] ?? "state") === card && !(isStopped && each === retry))
      .map(toLink);
  return {
    number,
    what: describe(order),
    stopped: items.map(({ since, due: _due, what: _what, sum: _sum, order: _order, ...item }) => ({
      ...item,
      name: `${item.label} ${number}`,
      age: ageText(since),
      since: timeView(since),
      again: item.kind === "stopped-order" && retry !== undefined ? toLink(retry) : null,
    })),
    mayTake: hasRole(role, editorRoles),
    isAdmin: role === "admin",
    state: {
      state: {
        words: orderStateText({ ...order, awaitsTransfer: await hasOpenProforma(context.db, order) }),
        tone: orderStateTone(order),
      },
      facts: known([
        ["Account", account],
        ["Purchase order", order.references.purchaseOrder],
        ["Cost centre", order.references.costCentre],
        ["Buyer's note", order.references.note],
      ]),
      acts: actsOn("state"),
    },
    money: {
      total,
      payments: money.payments.map(({ at, ...payment }) => ({ ...payment, at: timeView(at) })),
      sums: money.sums,
      acts: actsOn("money"),
    },
    customer: { ...customerOf(order, maySee(role, "customer")), acts: actsOn("customer") },
    quote: quoteView(await quoteOfOrder(context.db, id, new Date())),
    documents: {
      documents: maySee(role, "document") ? await documentsOfOrder(context.db, id) : [],
      acts: actsOn("documents"),
    },
    parts: storyOf(moments),
  };
});

function describe({ line, kind, family, country }: StoredOrder): string {
  return `${line.name} × ${line.quantity}, ${orderKindLabels[kind]}, ${families[family].label}, ${countries[country].name}`;
}

function customerOf({ account, customerId }: StoredOrder, mayOpen: boolean) {
  const href = customerId === null || !mayOpen ? null : paths.deskCustomer(customerId);
  if (account === null) return { company: { name: "No buyer yet", href }, facts: [] };
  const { addressLine1, addressLine2, city, pincode, state } = account;
  return {
    company: { name: account.companyName, href },
    facts: known([
      ["Buyer", fullName(account)],
      ["Email", account.email],
      ["Phone", `${account.phoneCode} ${account.phoneNumber}`],
      ["Address", [addressLine1, addressLine2, city, pincode, state].filter(Boolean).join(", ")],
      ["GSTIN", account.gst_code],
    ]),
  };
}

/** Leaves out facts with an unknown value. */
function known(facts: readonly (readonly [string, string | null | undefined])[]): [string, string][] {
  return facts.flatMap(([name, value]) => (value == null || value === "" ? [] : [[name, value]]));
}

export default function Order() {
  const { number, what, stopped, mayTake, isAdmin, state, money, customer, quote, documents, parts } =
    useLoaderData<typeof loader>();
  return (
    <div className="page">
      <nav aria-label="Breadcrumb" className="hint">
        <a href={paths.deskOrders()}>Orders</a>
      </nav>
      <div className="order-head">
        <h1>{number}</h1>
        <StateBadge tone={state.state.tone}>{state.state.words}</StateBadge>
      </div>
      <p className="hint">{what}</p>
      <Stopped items={stopped} mayTake={mayTake} isAdmin={isAdmin} />
      <div className="order-columns">
        <div>
          <Story parts={parts} />
          {quote !== null && <Quote {...quote} />}
        </div>
        <aside aria-label={`About ${number}`}>
          <StateCard {...state} />
          <MoneyCard {...money} />
          <CustomerCard {...customer} />
          <DocumentsCard {...documents} />
        </aside>
      </div>
    </div>
  );
}
