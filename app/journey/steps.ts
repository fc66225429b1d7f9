/**
 * A journey's steps as plain data. Which step a saved stage shows, what comes next and how far a link may go are all
 * derived by walking this list (docs/specification.md, sections 2.5 and 4.1).
 */
import type { FamilyId, FulfilmentStatus, OrderKind, PaymentStatus, Stage } from "#db/tables/enums.ts";
import { families } from "#server/families/family.ts";
import { needsSignIn } from "#server/orders/life.ts";
import type { OrderStepSlug } from "#server/paths.ts";

export interface Step {
  slug: OrderStepSlug;
  title: string;
  /** The stage an order is saved with once this step is done; null for the last, which nothing follows. */
  stageAfter: Stage | null;
}

/** What of an order decides its steps. */
export interface Journey {
  kind: OrderKind;
  family: FamilyId;
  fulfilmentStatus: FulfilmentStatus;
}

const stages: readonly Stage[] = ["none", "stage1", "stage2", "stage3", "stage4"];

/** The first step, as each journey calls it. */
const detailsTitle: Record<OrderKind, string> = {
  NEW: "Subscription Details",
  TUP: "Subscription Details",
  ADDON: "Subscription Details",
  ADD: "Add More Licenses",
  RENEW: "Renew Your Subscription",
};

const details = { slug: "subscription-details", stageAfter: "stage1" } as const;
const processed = { slug: "order-processed", title: "Order Processed", stageAfter: null } as const;
/** A new order's, while it is carried out. */
const processing = { ...processed, title: "Order Processed (Fulfilment Pending)" } as const;
const isCarriedOut: ReadonlySet<FulfilmentStatus> = new Set(["queued", "running", "needs_attention"]);
const placeOrder = { slug: "place-order", title: "Place Order" } as const;

/** The steps of an order's journey, in order: five for who is new, three for who is a customer. */
export function stepsOf({ kind, family, fulfilmentStatus }: Journey): readonly Step[] {
  const first = { ...details, title: detailsTitle[kind] };
  const signIn = {
    slug: "sign-in",
    title: `${families[family].label} Sign-In`,
    stageAfter: "stage4",
  } as const;
  if (kind === "NEW") {
    return [
      first,
      { slug: "create-account", title: "Create Account", stageAfter: "stage2" },
      { ...placeOrder, stageAfter: "stage3" },
      ...(needsSignIn(kind, family) ? [signIn] : []),
      isCarriedOut.has(fulfilmentStatus) ? processing : processed,
    ];
  }
  // A customer's order waits at Place Order until it is carried out; only when the new tenant's name was taken meanwhile
  // does it ask for another.
  if (fulfilmentStatus === "waiting_for_signin")
    return [first, { ...placeOrder, stageAfter: "stage3" }, signIn, processed];
  return [first, { ...placeOrder, stageAfter: "stage4" }, processed];
}

/** The first step not yet done: where the order's link leads, and as far as any link may go. */
export function currentStep(order: Journey & { stage: Stage }): Step {
  const steps = stepsOf(order);
  const found = steps.find((step) => step.stageAfter === null || !isReached(order.stage, step.stageAfter));
  if (found === undefined) throw new RangeError("A journey without a last step");
  return found;
}

/** How far an order is: its stage, and whether its payment was given back. */
export type Progress = Journey & { stage: Stage; paymentStatus: PaymentStatus };

/**
 * Where a link to `slug` leads: there, or to the first unfinished step when it asks for too much. An earlier step opens
 * until payment; after it, and once the payment was given back, only the present step does.
 */
export function openableStep(order: Progress, slug: OrderStepSlug): OrderStepSlug {
  const slugs = stepsOf(order).map((step) => step.slug);
  const current = currentStep(order).slug;
  const asked = slugs.indexOf(slug);
  if (asked === -1 || asked > slugs.indexOf(current)) return current;
  return isReached(order.stage, "stage3") || order.paymentStatus === "refunded" ? current : slug;
}

function isReached(stage: Stage, wanted: Stage): boolean {
  return stages.indexOf(stage) >= stages.indexOf(wanted);
}
