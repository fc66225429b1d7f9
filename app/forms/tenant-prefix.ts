/** The prefix of a Microsoft tenant: one rule for the form, the call and the live preview. */
import { schemaMessage } from "#server/foundation/languages/text.ts";

export { prefixPattern } from "./prefix-pattern.ts";
export const prefixRule = schemaMessage("signIn.prefixRule");
