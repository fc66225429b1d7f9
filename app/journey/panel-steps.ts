/** The side panel's data: the state and link of each step on the page being shown. */

import type { Order } from "#db/orders/order.ts";
import type { OrderKind } from "#db/tables/enums.ts";
import type { CatalogueItem } from "#server/catalogue/items.ts";
import { brand } from "#server/foundation/brand.ts";
import type { LanguageId } from "#server/foundation/languages/language.ts";
import { translate } from "#server/foundation/languages/text.ts";
import type { OrderStepSlug } from "#server/foundation/paths.ts";
import { stepPath } from "#server/orders/order-path.ts";
import type { PanelProps, PanelStep } from "./panel.tsx";
import { openableStep, stepsOf } from "./steps.ts";

/** @param shown the step on screen; steps up to it are marked */
export function panelSteps(order: Order, shown: OrderStepSlug, language: LanguageId): PanelStep[] {
  const steps = stepsOf(order);
  const at = steps.findIndex((step) => step.slug === shown);
  return steps.map(({ slug, title }, index) => ({
    slug,
    title: translate(language, title),
    state: index === at ? "current" : index < at ? "done" : "ahead",
    href: slug !== shown && openableStep(order, slug) === slug ? stepPath(order, slug) : null,
  }));
}

/** The panel of an order that does not exist yet. */
export function newOrderPanel(
  { kind, item }: { kind: OrderKind; item: CatalogueItem },
  language: LanguageId,
): PanelProps {
  const steps = stepsOf({ kind, family: item.family, fulfilmentStatus: "not_due" });
  return {
    steps: steps.map(({ slug, title }, index) => ({
      slug,
      title: translate(language, title),
      state: index === 0 ? "current" : "ahead",
      href: null,
    })),
    summary: null,
    service: null,
    supportUrl: brand.supportUrl,
  };
}
