/** My Orders, `/myorders` and `/Myorders`: the company's paid orders, each with its details in a popup. */
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import type { Order } from "#db/orders/order.ts";
import { narrowingOf } from "#server/billing/books/order-filter.ts";
import { creditNotesOf, type ListedCreditNote } from "#server/billing/documents/credit-note.ts";
import { referenceLines } from "#server/billing/documents/view.ts";
import { readTransferStates } from "#server/billing/payments/bank-transfer/transfer-state.ts";
import { formatMoney } from "#server/catalogue/pricing/format.ts";
import { translate } from "#server/foundation/languages/text.ts";
import * as paths from "#server/foundation/paths.ts";
import { mayOrder } from "#server/orders/draft.ts";
import { mayOpenOrder } from "#server/orders/find.ts";
import { listAwaitedTransfers, listPaidOrders } from "#server/orders/lists.ts";
import { orderNumber } from "#server/orders/number.ts";
import { orderPath } from "#server/orders/order-path.ts";
import { isRefunded } from "#server/orders/payment-state.ts";
import { dateView } from "#server/orders/subscriptions/dates.ts";
import { screens } from "../../families/registry.ts";
import { listQuery } from "../../http/list-query.ts";
import { pageLoader } from "../../http/page.ts";
import { type RequestContext, requireSession } from "../../http/request-context.ts";
import { requesterOf } from "../../journey/guard.ts";
import { orderKindKeys, planText, statusOf } from "../../journey/order-labels.ts";
import { soldToOf } from "../../journey/review-data.ts";
import { Callout } from "../../ui/callout.tsx";
import { DateText } from "../../ui/date-text.tsx";
import type { Handle } from "../../ui/handle.ts";
import { noindexMeta } from "../../ui/head.ts";
import { EmptyList, ListPages, ListTable, ListTools } from "../../ui/list.tsx";
import { Money } from "../../ui/money.tsx";
import { Rich, useTranslate } from "../../ui/text.tsx";
import { Tile } from "../../ui/tiles.tsx";
import { choicesOfOrders, orderFilterOf } from "./choices.ts";
import { Details, type OrderDetailsView } from "./details.tsx";

export const meta = noindexMeta<{ title: string }>((data) => data?.title ?? "");

/** The page that lists orders waiting for a family's sign-in. */
const signInPage = ({ family }: Order) => screens[family].signIn?.listedOn ?? null;

export const handle: Handle = { pageStyles: true };

export const loader = pageLoader(z.unknown(), async (request) => {
  const { customer } = requireSession(request);
  const requester = requesterOf(request);
  const { db } = request.context;
  const narrowing = customer === null ? {} : narrowingOf(orderFilterOf(request.url), customer.country);
  const [{ rows, nextPage }, awaited, choices] = await Promise.all([
    listPaidOrders(db, requester, listQuery(request.url), narrowing),
    listAwaitedTransfers(db, requester),
    choicesOfOrders(request, customer),
  ]);
  const ids = rows.map(({ id }) => id);
  const [notes, transfers] = await Promise.all([
    creditNotesOf(db, ids),
    readTransferStates(db, awaited, new Date()),
  ]);
  const waiting = rows.find(
    (order) => order.fulfilmentStatus === "waiting_for_signin" && signInPage(order) !== null,
  );
  const page = waiting === undefined || !mayOpenOrder(waiting, requester) ? null : signInPage(waiting);
  return {
    title: request.text("orders.title"),
    nextPage,
    choices,
    mayBuy: mayOrder(requester),
    transfers: awaited.map((order) => ({
      id: order.id,
      says: request.text("paying.isAwaitedFor", {
        name: order.line.name,
        total: formatMoney(order.total),
        state: translate(request.language, transfers.get(order.id) ?? ""),
      }),
      href: mayOpenOrder(order, requester) ? paths.proforma(order.id) : null,
    })),
    signIn: page === null ? null : { href: page.href, text: translate(request.language, page.text) },
    orders: rows.map((order) =>
      rowOf(
        order,
        {
          href: mayOpenOrder(order, requester) ? orderPath(order) : null,
          notes: notes.filter(({ orderId }) => orderId === order.id),
        },
        request,
      ),
    ),
  };
});

/** Links of a row. */
interface Linked {
  /** The order's own page; null for a viewer. */
  href: string | null;
  notes: readonly ListedCreditNote[];
}

function rowOf(order: Order, linked: Linked, request: RequestContext) {
  const { text, language } = request;
  const { id, line, family, country, createdAt, kind } = order;
  const { words, look } = statusOf(order);
  return {
    id,
    tile: screens[family].tile,
    name: line.name,
    plan: planText(line, text),
    number: orderNumber(order),
    status: { words: text(words), look },
    // The only state in which the buyer has to act.
    signInHref: order.fulfilmentStatus === "waiting_for_signin" ? linked.href : null,
    quantity: line.quantity,
    total: formatMoney(order.total),
    created: dateView(createdAt, country, language),
    type: text(orderKindKeys[kind]),
    details: detailsOf(order, linked, request),
  };
}

type Row = ReturnType<typeof rowOf>;

/** Link to a credit note. One for a correction shows no amount, because no money was refunded. */
function noteLink(
  { id, isCorrection, number, amount }: ListedCreditNote,
  text: RequestContext["text"],
): OrderDetailsView["creditNotes"][number] {
  return {
    href: paths.creditNote(id),
    number,
    label: isCorrection
      ? text("corrections.takenBack")
      : text("orders.creditNote", { amount: formatMoney(amount) }),
  };
}

function detailsOf(
  order: Order,
  { href, notes }: Linked,
  { text, language }: Pick<RequestContext, "text" | "language">,
): OrderDetailsView {
  const { line, subtotal, tax, rounding, total } = order;
  return {
    id: order.id,
    name: line.name,
    href,
    // An order that was never fulfilled counts as not sold; a fulfilled one has credit notes when it is refunded.
    invoice: isRefunded(order) && notes.length === 0 ? null : paths.invoice(order.id),
    creditNotes: notes.map((note) => noteLink(note, text)),
    summary: {
      rows: [
        { label: text("orders.item"), value: line.name },
        { label: text("orders.itemId"), value: line.itemId },
        { label: text("orders.orderId"), value: orderNumber(order) },
        { label: text("orders.status"), value: text(statusOf(order).words) },
        { label: text("orders.quantity"), value: String(line.quantity) },
        ...referenceLines(text, order.references),
      ],
      totals: [
        { label: text("orders.beforeTax"), value: formatMoney(subtotal) },
        { label: text("orders.taxAmount"), value: formatMoney(tax) },
        ...(rounding.minor === 0 ? [] : [{ label: text("orders.rounding"), value: formatMoney(rounding) }]),
        { label: text("orders.grandTotal"), value: formatMoney(total), strong: true },
      ],
      soldTo: soldToOf(order, language),
    },
  };
}

export default function MyOrders() {
  const { title, orders, nextPage, choices, mayBuy, signIn, transfers } = useLoaderData<typeof loader>();
  const text = useTranslate();
  return (
    <div className="page">
      <div className="head">
        <h1>{title}</h1>
        <a className="button quiet" href={paths.documents()}>
          {text("orders.books")}
        </a>
      </div>
      <ListTools searchLabel={text("orders.searchLabel")} choices={choices} isEmpty={orders.length === 0} />
      {signIn !== null && (
        <Callout type="due">
          <p>
            {text("orders.waitsForSignIn")} <a href={signIn.href}>{signIn.text}</a>
          </p>
        </Callout>
      )}
      {transfers.map(({ id, says, href }) => (
        <Callout key={id} type="due">
          <p>
            {says} {href !== null && <a href={href}>{text("paying.openProforma")}</a>}
          </p>
        </Callout>
      ))}
      {orders.length === 0 ? (
        <EmptyList
          message={text("orders.none")}
          hint={text("orders.noneYet")}
          drawing="orders"
          mayBuy={mayBuy}
        />
      ) : (
        <ListTable
          label={text("orders.list")}
          columns={[
            { label: text("orders.serviceDetails"), holds: "words" },
            { label: text("orders.purchased"), holds: "amount" },
            text("orders.createdOn"),
            text("orders.orderType"),
            { label: text("orders.status"), holds: "words" },
            { label: text("orders.grandTotal"), holds: "amount" },
            { label: text("orders.details"), holds: "acts" },
          ]}
          rows={orders.map((order) => ({
            id: order.id,
            cells: [
              <ServiceDetails key="name" {...order} />,
              order.quantity,
              <DateText key="created" {...order.created} />,
              order.type,
              <State key="state" {...order} />,
              <Money key="total">{order.total}</Money>,
              <Details key="details" {...order.details} />,
            ],
          }))}
        />
      )}
      <ListPages label={text("orders.pages")} next={nextPage} />
    </div>
  );
}

/** Names the order. Its number is a link for everyone who can open it. */
function ServiceDetails({ tile, name, plan, number, details }: Row) {
  return (
    <div className="with-tile">
      <Tile icon={tile} />
      <div>
        {name}
        <span className="hint">
          {details.href === null ? number : <a href={details.href}>{number}</a>} · {plan}
        </span>
      </div>
    </div>
  );
}

function State({ name, status, signInHref }: Row) {
  const text = useTranslate();
  const badge = `badge ${status.look}`;
  if (signInHref === null) return <span className={badge}>{status.words}</span>;
  return (
    <a className={badge} href={signInHref}>
      <Rich
        text={text("orders.needsSignInFor", { name })}
        parts={{ hidden: (inner) => <span className="visually-hidden">{inner}</span> }}
      />
    </a>
  );
}
