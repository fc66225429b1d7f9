/**
 * Opens a journey's step: checks that the order belongs to the visitor, that the link is the order's own, and that the step
 * may be shown.
 */
import { type AppLoadContext, redirect } from "@remix-run/node";
import { type OrderId, parseId } from "#db/ids.ts";
import type { Order } from "#db/orders/order.ts";
import { pickUpSession } from "#server/accounts/sessions.ts";
import { notFound } from "#server/foundation/errors.ts";
import type { OrderStepSlug } from "#server/foundation/paths.ts";
import { attributeToOrder } from "#server/integrations/call-attribution.ts";
import { findOrder, mayOpenOrder, type Requester } from "#server/orders/find.ts";
import { type OrderPathParts, orderPath, stepPath } from "#server/orders/order-path.ts";
import { webContext } from "../http/context.ts";
import { enforceRequiredFactor, type RequestContext, setSession, toLogin } from "../http/request-context.ts";
import { currentStep, openableStep } from "./steps.ts";

/** @throws a redirect to where a second factor is set up, when a company of the user's requires one */
export function requesterOf(request: RequestContext): Requester {
  enforceRequiredFactor(request);
  return {
    userId: request.session?.userId ?? null,
    customer: request.session?.customer ?? null,
    draftKey: request.draftKey,
    language: request.language,
  };
}

/** Cache per page load: the frame of a step and the step itself are two loaders that read the same order. */
const ordersOfLoads = new WeakMap<AppLoadContext, Map<OrderId, Promise<Order | null>>>();

function readOrder(
  { context, load }: Pick<RequestContext, "context" | "load">,
  id: OrderId,
  fresh: boolean,
): Promise<Order | null> {
  if (load === null) return findOrder(context.db, id);
  const orders = ordersOfLoads.get(load) ?? new Map<OrderId, Promise<Order | null>>();
  ordersOfLoads.set(load, orders);
  const order = (fresh ? undefined : orders.get(id)) ?? findOrder(context.db, id);
  orders.set(id, order);
  return order;
}

/** Begins to read a page's order before `openOrder` needs it. */
export function prefetchOrder(load: AppLoadContext, { id: given }: { id: string }): void {
  const id = parseId<OrderId>(given);
  if (id === null) return;
  // `openOrder` awaits the same promise and handles the error. A page that refuses its visitor never awaits it.
  readOrder({ context: webContext(), load }, id, false).catch(() => undefined);
}

interface Opening {
  /** Set by a loader that has changed the order since it was cached. */
  fresh?: boolean;
}

/**
 * Another signed-in user gets a 404. A visitor is sent to the login and back, whether or not the order exists.
 * @throws a redirect, or DomainError not_found
 */
export async function openOrder(
  request: RequestContext,
  params: { id: string },
  { fresh = false }: Opening = {},
): Promise<Order> {
  const id = parseId<OrderId>(params.id);
  const order = id === null ? null : await readOrder(request, id, fresh);
  const requester = requesterOf(request);
  if (order === null || !mayOpenOrder(order, requester)) {
    if (requester.userId !== null) throw notFound("order");
    if (order !== null && (await hasPickedUpSession(request, order))) throw redirect(orderPath(order));
    throw toLogin(request);
  }
  attributeToOrder(order.id);
  return order;
}

/**
 * Recovers from a lost response: Create Account created the buyer's account, but this browser never received its session
 * cookie.
 */
async function hasPickedUpSession(request: RequestContext, { userId }: Order): Promise<boolean> {
  const { db, env } = request.context;
  if (userId === null || request.draftKey === null) return false;
  const session = await pickUpSession(db, env.SESSION_SECRETS, { draftKey: request.draftKey, of: userId });
  if (session === null) return false;
  await setSession(request, session);
  return true;
}

/**
 * As openOrder. Also redirects a link to a step that is out of reach, or under another order's address, to the right place.
 */
export async function openStep(
  request: RequestContext,
  params: { id: string },
  slug: OrderStepSlug,
  opening: Opening = {},
): Promise<Order> {
  const order = await openOrder(request, params, opening);
  const address = stepPath(order, openableStep(order, slug));
  if (request.url.pathname !== address) throw redirect(address);
  return order;
}

/** Path from an order's review to the vendor's customer agreement. */
export function agreementPath(order: OrderPathParts): string {
  return `${stepPath(order, "place-order")}?agreement=read`;
}

const declined = "declined";

/** Place Order, right after a payment was declined: it shows the reason once. */
export function declinedPath(order: OrderPathParts): string {
  return `${stepPath(order, "place-order")}?${declined}=1`;
}

/** Whether a payment was just declined. */
export function isDeclined({ searchParams }: URL): boolean {
  return searchParams.has(declined);
}

const left = "left";

/** Place Order, right after the buyer left the checkout without paying: it shows a note once. */
export function leftPath(order: OrderPathParts): string {
  return `${stepPath(order, "place-order")}?${left}=1#pay`;
}

/** Whether the buyer just left the checkout. */
export function wasCheckoutLeft({ searchParams }: URL): boolean {
  return searchParams.has(left);
}

export function currentPath(order: Order): string {
  return stepPath(order, currentStep(order).slug);
}
