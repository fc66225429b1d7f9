/** The cart: unpaid orders, each with buttons to continue or remove it. */
import { useForm } from "@conform-to/react";
import { redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { type OrderId, parseId } from "#db/ids.ts";
import type { Order } from "#db/orders/order.ts";
import { readTransferStates } from "#server/billing/payments/bank-transfer/transfer-state.ts";
import { formatMoney } from "#server/catalogue/pricing/format.ts";
import { notFound } from "#server/foundation/errors.ts";
import { translate } from "#server/foundation/languages/text.ts";
import * as paths from "#server/foundation/paths.ts";
import { removeDraft, restoreDraft } from "#server/orders/cart.ts";
import { mayOrder, viewerOnlyMessageKey } from "#server/orders/draft.ts";
import { findOrder, mayOpenOrder } from "#server/orders/find.ts";
import { listCart } from "#server/orders/lists.ts";
import { orderPath } from "#server/orders/order-path.ts";
import { isPaid } from "#server/orders/payment-state.ts";
import { screens } from "../../families/registry.ts";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { cartSchema } from "../../forms/schemas.ts";
import { listQuery } from "../../http/list-query.ts";
import { formAction, pageLoader } from "../../http/page.ts";
import { type RequestContext, redirectWith, requireSession } from "../../http/request-context.ts";
import { requesterOf } from "../../journey/guard.ts";
import { orderKindKeys, planText } from "../../journey/order-labels.ts";
import { Breakable } from "../../ui/breakable.tsx";
import { Callout } from "../../ui/callout.tsx";
import type { Handle } from "../../ui/handle.ts";
import { noindexMeta } from "../../ui/head.ts";
import { EmptyList, ListPages, ListTable, ListTools, RowMenu } from "../../ui/list.tsx";
import { Money } from "../../ui/money.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { Rich, useTranslate } from "../../ui/text.tsx";
import { Tile } from "../../ui/tiles.tsx";

export const meta = noindexMeta<{ title: string }>((data) => data?.title ?? "");

export const handle: Handle = { pageStyles: true };

export const loader = pageLoader(z.unknown(), async (request) => {
  requireSession(request);
  const requester = requesterOf(request);
  const { text } = request;
  const { db } = request.context;
  const mayAct = mayOrder(requester);
  const { rows, nextPage } = await listCart(db, requester, listQuery(request.url));
  const transfers = await readTransferStates(db, rows, new Date());
  const transferOf = ({ id }: Order) => {
    const said = transfers.get(id);
    return said === undefined
      ? null
      : {
          state: translate(request.language, said),
          href: paths.proforma(id),
          label: text("paying.openProforma"),
        };
  };
  return {
    title: text("cart.title"),
    looksOnly: mayAct ? null : text(viewerOnlyMessageKey),
    removed: await justRemoved(request),
    nextPage,
    orders: rows.map((order) => ({
      id: order.id,
      tile: screens[order.family].tile,
      name: order.line.name,
      plan: planText(order.line, text),
      where: order.details.addedTo ?? order.details.google?.domain ?? null,
      quantity: order.line.quantity,
      total: formatMoney(order.subtotal),
      tax: formatMoney(order.tax),
      rounding: order.rounding.minor === 0 ? null : formatMoney(order.rounding),
      grandTotal: formatMoney(order.total),
      type: text(orderKindKeys[order.kind]),
      transfer: transferOf(order),
      href: mayAct && mayOpenOrder(order, requester) ? buyPath(order) : null,
      /** The quote of an order with a known buyer. */
      quote:
        mayAct && mayOpenOrder(order, requester) && order.account !== null
          ? paths.orderQuote(order.id)
          : null,
    })),
  };
});

/** The specification's own links. They lead to the order's current step. */
function buyPath(order: Order): string {
  return order.kind === "TUP" ? paths.contractById(order) : orderPath(order);
}

/** The order just removed, which can be restored. */
async function justRemoved(request: RequestContext): Promise<{ id: string; text: string } | null> {
  const id = parseId<OrderId>(request.url.searchParams.get("removed"));
  const order = id === null ? null : await findOrder(request.context.db, id);
  if (
    order === null ||
    order.removedAt === null ||
    isPaid(order) ||
    !mayOpenOrder(order, requesterOf(request))
  )
    return null;
  const { name, quantity } = order.line;
  const licences = request.text("orders.licences", { count: quantity });
  return { id: order.id, text: request.text("cart.removed", { name, licences }) };
}

export const action = formAction({
  params: z.unknown(),
  schema: cartSchema,
  handler: async (request, _params, { intent, order }) => {
    requireSession(request);
    const orderId = parseId<OrderId>(order);
    if (orderId === null) throw notFound("order");
    const requester = requesterOf(request);
    const { db } = request.context;
    const service = listQuery(request.url).family;
    if (intent === "restore") {
      await db.transaction().execute((trx) => restoreDraft(trx, { orderId, requester }));
      const message = request.text("cart.isBack");
      return redirectWith(request, paths.cart({ service }), { type: "success", message });
    }
    await db.transaction().execute((trx) => removeDraft(trx, { orderId, requester, now: new Date() }));
    return redirect(paths.cart({ service, removed: orderId }), 303);
  },
});

type Row = Awaited<ReturnType<typeof useLoaderData<typeof loader>>>["orders"][number];

export default function Cart() {
  const { title, looksOnly, removed, nextPage, orders } = useLoaderData<typeof loader>();
  const [form] = useForm({ id: "cart", lastResult: useActionData<typeof action>()?.result ?? null });
  const text = useTranslate();
  const mayBuy = looksOnly === null;
  return (
    <div className="page">
      <div className="head">
        <h1>{title}</h1>
      </div>
      <ListTools searchLabel={text("cart.searchLabel")} isEmpty={orders.length === 0} />
      <ErrorSummary form={form} fields={[]} />
      {looksOnly !== null && (
        <Callout type="info">
          <p>{looksOnly}</p>
        </Callout>
      )}
      {removed !== null && (
        <Callout type="success" live>
          <p>{removed.text}</p>
          <form method="post">
            <input type="hidden" name="order" value={removed.id} />
            <SubmitButton name="intent" value="restore" variant="quiet">
              {text("cart.putBack")}
            </SubmitButton>
          </form>
        </Callout>
      )}
      {orders.length === 0 ? (
        <EmptyList message={text("cart.none")} hint={text("cart.noneYet")} drawing="cart" mayBuy={mayBuy} />
      ) : (
        <ListTable
          label={text("cart.list")}
          columns={[
            { label: text("cart.serviceDetails"), holds: "words" },
            { label: text("cart.quantity"), holds: "amount" },
            { label: text("cart.beforeTax"), holds: "amount" },
            { label: text("cart.tax"), holds: "amount" },
            { label: text("cart.grandTotal"), holds: "amount" },
            { label: text("cart.orderType"), holds: "words" },
            ...(mayBuy ? [{ label: text("cart.actions"), holds: "acts" as const }] : []),
          ]}
          rows={orders.map((order) => ({
            id: order.id,
            cells: [
              <ServiceDetails key="name" {...order} />,
              order.quantity,
              <Money key="total">{order.total}</Money>,
              <Money key="tax">{order.tax}</Money>,
              <GrandTotal key="grand" {...order} />,
              <Kind key="type" {...order} />,
              <Actions key="actions" {...order} />,
            ],
          }))}
        />
      )}
      <ListPages label={text("cart.pages")} next={nextPage} />
      {orders.length > 1 && <p className="hint">{text("cart.each")}</p>}
    </div>
  );
}

function ServiceDetails({ tile, name, plan, where }: Row) {
  return (
    <div className="with-tile">
      <Tile icon={tile} />
      <div>
        {name}
        <span className="hint">{plan}</span>
        {where !== null && (
          <span className="hint">
            <Breakable>{where}</Breakable>
          </span>
        )}
      </div>
    </div>
  );
}

function GrandTotal({ grandTotal, rounding }: Row) {
  const text = useTranslate();
  return (
    <span>
      <strong>
        <Money>{grandTotal}</Money>
      </strong>
      {rounding !== null && (
        <span className="hint">
          <Rich
            text={text("cart.rounded", { amount: rounding })}
            parts={{ amount: (inner) => <Money>{inner}</Money> }}
          />
        </span>
      )}
    </span>
  );
}

function Kind({ type, transfer }: Row) {
  return (
    <span className="stacked">
      {type}
      {transfer !== null && <span className="badge due">{transfer.state}</span>}
    </span>
  );
}

/**
 * Actions of a row. An order that awaits a transfer leads to its bank account first, because paying it here too would pay it
 * twice.
 */
function Actions({ id, name, href, quote, transfer }: Row) {
  const text = useTranslate();
  const parts = { hidden: (inner: string) => <span className="visually-hidden">{inner}</span> };
  const buy = href !== null && (
    <a
      className={transfer === null ? "button" : undefined}
      href={href}
      aria-label={text("cart.buyNamed", { name })}
    >
      {text("cart.buy")} <span aria-hidden="true">→</span>
    </a>
  );
  return (
    <div className="row-actions">
      {transfer !== null && href !== null ? (
        <a className="button" href={transfer.href} aria-label={`${transfer.label}: ${name}`}>
          {transfer.label}
        </a>
      ) : (
        buy
      )}
      <RowMenu what={name}>
        {transfer !== null && <li>{buy}</li>}
        {quote !== null && (
          <li>
            <form method="post" action={quote}>
              <SubmitButton variant="quiet">
                <Rich text={text("cart.quote", { name })} parts={parts} />
              </SubmitButton>
            </form>
          </li>
        )}
        <li>
          <form method="post">
            <input type="hidden" name="order" value={id} />
            <SubmitButton name="intent" value="remove" variant="quiet">
              <Rich text={text("cart.remove", { name })} parts={parts} />
            </SubmitButton>
          </form>
        </li>
      </RowMenu>
    </div>
  );
}
