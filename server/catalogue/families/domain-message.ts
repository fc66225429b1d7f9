/** Schema message for an invalid domain, the same as the field's look-up shows (docs/specification.md, section 5). */
import { schemaMessage } from "#server/foundation/languages/text.ts";

export const notADomain = schemaMessage("signIn.notADomain");
