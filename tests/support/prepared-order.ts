/** Paid orders that only need their sign-in, with their expected outcomes. */
import type { FaultWorld } from "./fault-world.ts";
import { exactlyOnceAtGoogle, googleOutcomeOf, orderedSku } from "./google-outcome.ts";
import { googlePlan, type OpenPayment } from "./journey.ts";
import { exactlyOnce, outcomeOf, type Placed, type StoreOutcome } from "./outcome.ts";
import {
  answerSignInAndConfirm,
  answerSignInGoogle,
  answerSignInNewTenant,
  answerSignInTransfer,
  freshPrefix,
  paidOrder,
} from "./paid-order.ts";

export interface PreparedOrder {
  order: OpenPayment;
  placed: Placed;
  /** Posts the sign-in, which starts fulfilment. */
  signIn(): Promise<void>;
  /** Whether it is fulfilled; left out where the order's own stage shows that. */
  isOver?(): Promise<boolean>;
  outcome(): Promise<StoreOutcome>;
  /** The outcome of an order fulfilled exactly once. */
  expected: StoreOutcome;
}

/** A new tenant. */
export async function prepareNewTenant(
  { stack, sides }: FaultWorld,
  { username = "owner", prefix = freshPrefix() } = {},
): Promise<PreparedOrder & { prefix: string }> {
  const order = await paidOrder(stack);
  const domain = `${prefix}.onmicrosoft.com`;
  const placed = { id: order.id, email: order.email, domain, user: `${username}@${domain}` };
  return {
    order,
    prefix,
    placed,
    signIn: () => answerSignInNewTenant(order, { username, prefix }),
    outcome: () => outcomeOf(sides, placed),
    expected: exactlyOnce(placed),
  };
}

/** A tenant of the buyer's that has accepted us, and whose administrator confirms the order. */
export async function prepareExistingTenant({ stack, sides }: FaultWorld): Promise<PreparedOrder> {
  const order = await paidOrder(stack);
  const domain = `${freshPrefix()}.onmicrosoft.com`;
  await sides.provider.approve(domain);
  const placed = { id: order.id, email: order.email, domain, user: null };
  return {
    order,
    placed,
    signIn: () => answerSignInAndConfirm(order, `boss@${domain}`),
    outcome: () => outcomeOf(sides, placed),
    expected: exactlyOnce(placed),
  };
}

/** A domain without a Google account. */
export async function prepareGoogleSignUp(
  { stack, sides }: FaultWorld,
  { username = "admin", domain = `${freshPrefix()}.com` } = {},
): Promise<PreparedOrder> {
  const order = await paidOrder(stack, googlePlan(domain));
  const placed = { id: order.id, email: order.email, domain, user: `${username}@${domain}` };
  return {
    order,
    placed,
    signIn: () => answerSignInGoogle(order, username),
    outcome: () => googleOutcomeOf(sides, placed),
    expected: exactlyOnceAtGoogle(placed),
  };
}

/** A domain that has these plans at another reseller: the ordered one, or none. */
export async function prepareTransfer(
  { stack, sides }: FaultWorld,
  { skus = [orderedSku], token = "SANDBOX-TOKEN" } = {},
): Promise<PreparedOrder> {
  const domain = `${freshPrefix()}.com`;
  await sides.provider.holdElsewhere(domain, skus);
  const order = await paidOrder(stack, googlePlan(domain));
  const placed = { id: order.id, email: order.email, domain, user: null };
  return {
    order,
    placed,
    signIn: () => answerSignInTransfer(order, token),
    outcome: () => googleOutcomeOf(sides, placed),
    expected: exactlyOnceAtGoogle(placed),
  };
}
