/** The cart: unpaid orders, each with buttons to continue or remove it. */
import { useForm } from "@conform-to/react";
import { redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { type OrderId, parseId } from "#db/ids.ts";
import type { Order } from "#db/order.ts";
import { notFound } from "#server/errors.ts";
import { orderPath } from "#server/orders/address.ts";
import { removeDraft, restoreDraft } from "#server/orders/cart.ts";
import { mayOrder, viewersLook } from "#server/orders/draft.ts";
import { findOrder, mayOpen } from "#server/orders/find.ts";
import { listCart, totalOfCart } from "#server/orders/lists.ts";
import { isPaid } from "#server/orders/order.ts";
import * as paths from "#server/paths.ts";
import { formatMoney } from "#server/pricing/format.ts";
import { licences } from "#server/pricing/quantity.ts";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { cartSchema } from "../../forms/schemas.ts";
import { listQuery } from "../../http/list-query.ts";
import { formAction, pageLoader } from "../../http/page.ts";
import { type RequestContext, redirectWith, requireSession } from "../../http/request-context.ts";
import { askerOf } from "../../journey/guard.ts";
import { orderTypeWords, planWords } from "../../journey/order-words.ts";
import { Breakable } from "../../ui/breakable.tsx";
import { Callout } from "../../ui/callout.tsx";
import { unindexedPage } from "../../ui/head.ts";
import { Totals } from "../../ui/lines.tsx";
import { EmptyList, exploreServices, ListPages, ListTable, ListTools } from "../../ui/list.tsx";
import { Money } from "../../ui/money.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";

export const meta = unindexedPage("Cart");

export const loader = pageLoader(z.unknown(), async (request) => {
  requireSession(request);
  const asker = askerOf(request);
  const { db } = request.context;
  const mayAct = mayOrder(asker);
  const { rows, nextPage } = await listCart(db, asker, listQuery(request.url));
  const totals = await totalOfCart(db, asker);
  return {
    looksOnly: mayAct ? null : viewersLook,
    removed: await justRemoved(request),
    nextPage,
    totals: totals.map(({ orders, total }) => ({ orders, total: formatMoney(total) })),
    orders: rows.map((order) => ({
      id: order.id,
      name: order.line.name,
      plan: planWords(order.line),
      where: order.details.addedTo ?? order.details.google?.domain ?? null,
      quantity: order.line.quantity,
      total: formatMoney(order.subtotal),
      tax: formatMoney(order.tax),
      rounding: order.rounding.minor === 0 ? null : formatMoney(order.rounding),
      grandTotal: formatMoney(order.total),
      type: orderTypeWords[order.kind],
      href: mayAct && mayOpen(order, asker) ? buyPath(order) : null,
    })),
  };
});

/** The specification's own links. They lead to the order's current step. */
function buyPath(order: Order): string {
  return order.kind === "TUP" ? paths.contractById(order) : orderPath(order);
}

/** The order just removed, which can be restored. */
async function justRemoved(request: RequestContext): Promise<{ id: string; what: string } | null> {
  const id = parseId<OrderId>(request.url.searchParams.get("removed"));
  const order = id === null ? null : await findOrder(request.context.db, id);
  if (order === null || order.removedAt === null || isPaid(order) || !mayOpen(order, askerOf(request)))
    return null;
  return { id: order.id, what: `${order.line.name}, ${licences(order.line.quantity)}` };
}

export const action = formAction({
  params: z.unknown(),
  schema: cartSchema,
  handler: async (request, _params, { intent, order }) => {
    requireSession(request);
    const orderId = parseId<OrderId>(order);
    if (orderId === null) throw notFound("order");
    const asker = askerOf(request);
    const { db } = request.context;
    const service = listQuery(request.url).family;
    if (intent === "restore") {
      await db.transaction().execute((trx) => restoreDraft(trx, { orderId, asker }));
      const message = "It is in your cart again.";
      return redirectWith(request, paths.cart({ service }), { type: "success", message });
    }
    await db.transaction().execute((trx) => removeDraft(trx, { orderId, asker, now: new Date() }));
    return redirect(paths.cart({ service, removed: orderId }), 303);
  },
});

type Row = Awaited<ReturnType<typeof useLoaderData<typeof loader>>>["orders"][number];

export default function Cart() {
  const { looksOnly, removed, nextPage, totals, orders } = useLoaderData<typeof loader>();
  const [form] = useForm({ id: "cart", lastResult: useActionData<typeof action>()?.result ?? null });
  return (
    <div className="page">
      <h1>Cart</h1>
      <ErrorSummary form={form} fields={[]} />
      {looksOnly !== null && (
        <Callout type="info">
          <p>{looksOnly}</p>
        </Callout>
      )}
      {removed !== null && (
        <Callout type="success" live>
          <p>{`Removed: ${removed.what}.`}</p>
          <form method="post">
            <input type="hidden" name="order" value={removed.id} />
            <SubmitButton name="intent" value="restore">
              Put it back
            </SubmitButton>
          </form>
        </Callout>
      )}
      <ListTools searchLabel="Order id or domain" />
      {orders.length === 0 ? (
        <EmptyList wayOn={exploreServices}>Carts not found.</EmptyList>
      ) : (
        <ListTable
          label="Cart"
          columns={[
            "Service Details",
            "Quantity",
            "Total Price before tax",
            "Tax Amount",
            "Grand Total",
            "Order Type",
            ...(looksOnly === null ? ["Actions"] : []),
          ]}
          rows={orders.map((order) => ({
            id: order.id,
            cells: [
              <ServiceDetails key="name" {...order} />,
              order.quantity,
              <Money key="total">{order.total}</Money>,
              <Money key="tax">{order.tax}</Money>,
              <GrandTotal key="grand" {...order} />,
              order.type,
              ...(looksOnly === null ? [<Actions key="actions" {...order} />] : []),
            ],
          }))}
        />
      )}
      <ListPages label="the cart" next={nextPage} />
      {totals.length > 0 && (
        <>
          <Totals
            label="All orders"
            lines={totals.map(({ orders: count, total }) => ({
              label: count === 1 ? "1 order" : `${count} orders together`,
              value: total,
              strong: true,
            }))}
          />
          <p className="hint totals">Each order is bought and paid for by itself.</p>
        </>
      )}
    </div>
  );
}

function ServiceDetails({ name, plan, where }: Row) {
  return (
    <>
      {name}
      <span className="hint">{plan}</span>
      {where !== null && (
        <span className="hint">
          <Breakable>{where}</Breakable>
        </span>
      )}
    </>
  );
}

function GrandTotal({ grandTotal, rounding }: Row) {
  return (
    <span>
      <strong>
        <Money>{grandTotal}</Money>
      </strong>
      {rounding !== null && (
        <span className="hint">
          rounded by <Money>{rounding}</Money>
        </span>
      )}
    </span>
  );
}

function Actions({ id, name, href }: Row) {
  return (
    <div className="row-actions">
      {href !== null && (
        <a className="button" href={href} aria-label={`Buy ${name}`}>
          Buy <span aria-hidden="true">→</span>
        </a>
      )}
      <form method="post">
        <input type="hidden" name="order" value={id} />
        <SubmitButton name="intent" value="remove" look="quiet">
          Remove<span className="visually-hidden"> {name}</span>
        </SubmitButton>
      </form>
    </div>
  );
}
