/**
 * A journey's steps as plain data. The step of a saved stage, the next step and the limit for links are all derived by
 * walking this list (docs/specification.md, sections 2.5 and 4.1).
 */
import type { FamilyId, FulfilmentStatus, OrderKind, PaymentStatus, Stage } from "#db/tables/enums.ts";
import { families } from "#server/catalogue/families/registry.ts";
import { type MessageDescriptor, msg } from "#server/foundation/languages/text.ts";
import type { OrderStepSlug } from "#server/foundation/paths.ts";
import { hasReached, needsSignIn } from "#server/orders/order-lifecycle.ts";
import { isRefunded } from "#server/orders/payment-state.ts";

export interface Step {
  slug: OrderStepSlug;
  title: MessageDescriptor;
  /** The stage saved once this step is done, or null for the last step. */
  stageAfter: Stage | null;
}

/** The fields of an order that determine its steps. */
export interface Journey {
  kind: OrderKind;
  family: FamilyId;
  fulfilmentStatus: FulfilmentStatus;
}

/** The first step's title in each journey. */
const detailsTitle: Record<OrderKind, MessageDescriptor> = {
  NEW: msg("steps.subscriptionDetails"),
  TUP: msg("steps.subscriptionDetails"),
  ADDON: msg("steps.subscriptionDetails"),
  ADD: msg("steps.addMore"),
  RENEW: msg("steps.renew"),
};

const details = { slug: "subscription-details", stageAfter: "stage1" } as const;
const processed = { slug: "order-processed", title: msg("steps.processed"), stageAfter: null } as const;
/** The last step of a new order until it is fulfilled (docs/specification.md, section 2.5). */
const processing = { ...processed, title: msg("steps.processing") } as const;
const placeOrder = { slug: "place-order", title: msg("steps.placeOrder") } as const;

/** An order's steps in sequence: five for a new buyer, three for an existing customer. */
export function stepsOf({ kind, family, fulfilmentStatus }: Journey): readonly Step[] {
  const first = { ...details, title: detailsTitle[kind] };
  const signIn = {
    slug: "sign-in",
    title: msg("steps.signIn", { family: families[family].label }),
    stageAfter: "stage4",
  } as const;
  if (kind === "NEW") {
    return [
      first,
      { slug: "create-account", title: msg("steps.createAccount"), stageAfter: "stage2" },
      { ...placeOrder, stageAfter: "stage3" },
      ...(needsSignIn(kind, family) ? [signIn] : []),
      fulfilmentStatus === "done" ? processed : processing,
    ];
  }
  // A customer's order waits at Place Order until it is fulfilled. It gets a sign-in step only when the new tenant's name was
  // taken in the meantime.
  if (fulfilmentStatus === "waiting_for_signin")
    return [first, { ...placeOrder, stageAfter: "stage3" }, signIn, processed];
  return [first, { ...placeOrder, stageAfter: "stage4" }, processed];
}

/** The first unfinished step: where the order's link leads, and the limit for other links. */
export function currentStep(order: Journey & { stage: Stage }): Step {
  const steps = stepsOf(order);
  const found = steps.find((step) => step.stageAfter === null || !hasReached(order.stage, step.stageAfter));
  if (found === undefined) throw new RangeError("A journey without a last step");
  return found;
}

/** Progress of an order: its stage, and whether its payment was refunded. */
export type Progress = Journey & { stage: Stage; paymentStatus: PaymentStatus };

/**
 * The step that a link to `slug` opens: that step, or the first unfinished one when it is out of reach. Earlier steps open until
 * payment. After payment, and after a refund, only the current step does; a payment that bought nothing leads to the step that
 * explains it.
 */
export function openableStep(order: Progress, slug: OrderStepSlug): OrderStepSlug {
  if (hasReached(order.stage, "stage3") && isRefunded(order)) return "place-order";
  const slugs = stepsOf(order).map((step) => step.slug);
  const current = currentStep(order).slug;
  const requestedIndex = slugs.indexOf(slug);
  if (requestedIndex === -1 || requestedIndex > slugs.indexOf(current)) return current;
  return hasReached(order.stage, "stage3") || order.paymentStatus === "refunded" ? current : slug;
}
