/**
 * Speculation rules: the browser may prefetch an order's first step once a finger or pointer is on its link. That page is the
 * same for everyone and changes nothing. Browsers skip it when their user saves data.
 */
import * as paths from "#server/foundation/paths.ts";

const firstStep = paths.newOrder({ family: ":family", item: ":item", country: ":country" });

export const speculationRules = JSON.stringify({
  prefetch: [{ where: { href_matches: firstStep }, eagerness: "moderate" }],
});
