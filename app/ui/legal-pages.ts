/** The pages about the seller and the rules, in the order in which they are linked. */
import type { MessageKey } from "#server/languages/messages.ts";
import * as paths from "#server/paths.ts";

export const legalPages = [
  { path: paths.about(), name: "legal.about" },
  { path: paths.terms(), name: "legal.terms" },
  { path: paths.refunds(), name: "legal.refunds" },
  { path: paths.privacy(), name: "legal.privacy" },
  { path: paths.grievances(), name: "legal.grievances" },
] as const satisfies readonly { path: string; name: MessageKey }[];
