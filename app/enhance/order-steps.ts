/** Scripts that only the steps of an order need, shipped with their React code. index.ts is for every page. */
import { domainCheck } from "./domain-check.ts";
import { gstChoice } from "./gst-choice.ts";
import { prefixCheck } from "./prefix-check.ts";

/** Runs the handlers for input that was typed before the scripts loaded. */
export function enhanceSteps(root: Document): void {
  domainCheck(root);
  gstChoice(root);
  prefixCheck(root);
  for (const field of root.querySelectorAll("input"))
    if (field.value !== field.defaultValue) field.dispatchEvent(new Event("input", { bubbles: true }));
}
