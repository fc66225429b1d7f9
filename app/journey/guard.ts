/** Opens a journey's step for whoever asks: the order is theirs, the link is the order's own, and the step is one they may see. */
import { redirect } from "@remix-run/node";
import { type OrderId, parseId } from "#db/ids.ts";
import { pickUpSession } from "#server/accounts/sessions.ts";
import { notFound, unreachable } from "#server/errors.ts";
import { type Asker, findOrder, mayOpen } from "#server/orders/find.ts";
import type { Order } from "#server/orders/order.ts";
import { type Page, setSession, toLogin } from "../http/page.ts";
import { type OrderStepSlug, paths } from "../paths.ts";
import { currentStep, openableStep } from "./steps.ts";

export function askerOf(page: Page): Asker {
  return {
    userId: page.session?.userId ?? null,
    customer: page.session?.customer ?? null,
    draftKey: page.draftKey,
  };
}

/** The frame of a step and the step itself are loaders of one load, and about one order. */
const ordersOfLoads = new WeakMap<NonNullable<Page["load"]>, Map<OrderId, Promise<Order | null>>>();

function readOrder({ context, load }: Page, id: OrderId, anew: boolean): Promise<Order | null> {
  if (load === null) return findOrder(context.db, id);
  const orders = ordersOfLoads.get(load) ?? new Map<OrderId, Promise<Order | null>>();
  ordersOfLoads.set(load, orders);
  const order = (anew ? undefined : orders.get(id)) ?? findOrder(context.db, id);
  orders.set(id, order);
  return order;
}

interface Opening {
  /** For a loader that has changed the order since it was read. */
  anew?: boolean;
}

/**
 * Signed in as somebody else: 404. Not signed in: to the login, whether or not there is such an order, and back.
 * @throws a redirect, or DomainError not_found
 */
export async function openOrder(
  page: Page,
  params: { id: string },
  { anew = false }: Opening = {},
): Promise<Order> {
  const id = parseId<OrderId>(params.id);
  const order = id === null ? null : await readOrder(page, id, anew);
  const asker = askerOf(page);
  if (order === null || !mayOpen(order, asker)) {
    if (asker.userId !== null) throw notFound("order");
    if (order !== null && (await hasPickedUpSession(page, order))) throw redirect(orderPath(order));
    throw toLogin(page);
  }
  return order;
}

/** Create Account has made the buyer's account, and its answer was lost: this browser is signed in after all. */
async function hasPickedUpSession(page: Page, { userId }: Order): Promise<boolean> {
  const { db, env } = page.context;
  if (userId === null || page.draftKey === null) return false;
  const session = await pickUpSession(db, env.SESSION_SECRETS, { draftKey: page.draftKey, of: userId });
  if (session === null) return false;
  await setSession(page, session);
  return true;
}

/** As openOrder, and sends a link to a step out of reach, or under an address not the order's own, to where it belongs. */
export async function openStep(
  page: Page,
  params: { id: string },
  slug: OrderStepSlug,
  opening: Opening = {},
): Promise<Order> {
  const order = await openOrder(page, params, opening);
  const address = stepPath(order, openableStep(order, slug));
  if (page.url.pathname !== address) throw redirect(address);
  return order;
}

type Addressed = Pick<Order, "id" | "kind" | "family" | "itemId" | "country" | "subscriptionId">;

/** The order's own link, which leads to the step of its saved stage. */
export function orderPath({ id, kind, family, itemId, country, subscriptionId }: Addressed): string {
  switch (kind) {
    case "NEW":
      return paths.order({ id, family, item: itemId, country });
    case "TUP":
      return paths.contract({ id, family });
    case "ADDON":
      return paths.addOn({ id });
    case "ADD":
      return paths.seatsOrder({ id, subscriptionId: subscriptionId ?? "" });
    case "RENEW":
      return paths.renewalOrder({ id, subscriptionId: subscriptionId ?? "" });
    default:
      return unreachable(kind);
  }
}

export function stepPath(order: Addressed, slug: OrderStepSlug): string {
  return `${orderPath(order)}/${slug}`;
}

export function currentPath(order: Order): string {
  return stepPath(order, currentStep(order).slug);
}
