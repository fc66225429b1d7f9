/** The side panel's data: each step's state on the page being shown, and where it links to. */
import type { Order } from "#server/orders/order.ts";
import type { OrderStepSlug } from "../paths.ts";
import { stepPath } from "./guard.ts";
import type { PanelStep } from "./panel.tsx";
import { openableStep, stepsOf } from "./steps.ts";

/** @param shown the step on the screen; steps up to it are marked (SPEC section 2) */
export function panelSteps(order: Order, shown: OrderStepSlug): PanelStep[] {
  const steps = stepsOf(order);
  const at = steps.findIndex((step) => step.slug === shown);
  return steps.map(({ slug, title }, index) => ({
    slug,
    title,
    state: index === at ? "current" : index < at ? "done" : "ahead",
    href: slug !== shown && openableStep(order, slug) === slug ? stepPath(order, slug) : null,
  }));
}

/** The panel of an order that does not exist yet. */
export function newOrderSteps(family: Order["family"]): PanelStep[] {
  return stepsOf({ kind: "NEW", family }).map(({ slug, title }, index) => ({
    slug,
    title,
    state: index === 0 ? "current" : "ahead",
    href: null,
  }));
}
