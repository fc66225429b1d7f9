/** Opens a journey's step for whoever asks: the order is theirs, the link is the order's own, and the step is one they may see. */
import { redirect } from "@remix-run/node";
import { type OrderId, parseId } from "#db/ids.ts";
import { notFound } from "#server/errors.ts";
import { type Asker, findOrder, mayOpen } from "#server/orders/find.ts";
import type { Order } from "#server/orders/order.ts";
import type { Page } from "../http/page.ts";
import type { OrderParams } from "../params.ts";
import { type OrderStepSlug, paths } from "../paths.ts";
import { openableStep } from "./steps.ts";

export function askerOf(page: Page): Asker {
  return {
    userId: page.session?.userId ?? null,
    customer: page.session?.customer ?? null,
    draftKey: page.draftKey,
  };
}

/**
 * Signed in as somebody else: 404. Not signed in: to the login, whether or not there is such an order, and back.
 * @throws a redirect, or DomainError not_found
 */
export async function openOrder(page: Page, params: OrderParams): Promise<Order> {
  const id = parseId<OrderId>(params.id);
  const order = id === null ? null : await findOrder(page.context.db, id);
  const asker = askerOf(page);
  if (order === null || !mayOpen(order, asker)) {
    if (asker.userId === null) throw redirect(paths.login(page.url.pathname));
    throw notFound("order");
  }
  return order;
}

/** As openOrder, and sends a link that names the wrong plan, or a step out of reach, to where it belongs. */
export async function openStep(page: Page, params: OrderParams, slug: OrderStepSlug): Promise<Order> {
  const order = await openOrder(page, params);
  const openable = openableStep(order, slug);
  if (openable !== slug || !isOwnAddress(order, params)) throw redirect(stepPath(order, openable));
  return order;
}

export function stepPath(order: Order, slug: OrderStepSlug): string {
  return paths.orderStep(
    { id: order.id, family: order.family, item: order.itemId, country: order.country },
    slug,
  );
}

function isOwnAddress(order: Order, params: OrderParams): boolean {
  return params.family === order.family && params.item === order.itemId && params.country === order.country;
}
