/** The prefix of a Microsoft tenant: one rule for the form, the call and the live preview. */
import { issue } from "#server/languages/text.ts";

export { prefixPattern } from "./prefix-pattern.ts";
export const prefixRule = issue("signIn.prefixRule");
