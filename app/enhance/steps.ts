/** What only the steps of an order need. It comes with their React code; index.ts is for every page. */
import { domainCheck } from "./domain-check.ts";
import { gstChoice } from "./gst-choice.ts";
import { prefixCheck } from "./prefix-check.ts";

export function enhanceSteps(root: Document): void {
  domainCheck(root);
  gstChoice(root);
  prefixCheck(root);
}
