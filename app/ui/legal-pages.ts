/** The pages about the seller and its rules, in link order. */
import type { MessageKey } from "#server/foundation/languages/messages.ts";
import * as paths from "#server/foundation/paths.ts";

/** A function, so that the bundle of a hydrated page, which does not link them, leaves them out. */
export const legalPages = (): readonly { path: string; name: MessageKey }[] => [
  { path: paths.about(), name: "legal.about" },
  { path: paths.terms(), name: "legal.terms" },
  { path: paths.refunds(), name: "legal.refunds" },
  { path: paths.privacy(), name: "legal.privacy" },
  { path: paths.grievances(), name: "legal.grievances" },
  { path: paths.accessibility(), name: "legal.accessibility" },
];
