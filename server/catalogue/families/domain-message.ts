/** What a schema says of a text that is no domain, as the look-up of the field does (docs/specification.md, section 5). */
import { schemaMessage } from "#server/foundation/languages/text.ts";

export const notADomain = schemaMessage("signIn.notADomain");
