/**
 * What a browser may fetch before it is asked for: the first step of an order, once a finger or a pointer is on the link to it.
 * It shows the same to everyone and begins nothing. Browsers leave it out when their user saves data.
 */
import * as paths from "#server/foundation/paths.ts";

const firstStep = paths.newOrder({ family: ":family", item: ":item", country: ":country" });

export const speculationRules = JSON.stringify({
  prefetch: [{ where: { href_matches: firstStep }, eagerness: "moderate" }],
});
