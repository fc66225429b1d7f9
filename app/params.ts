/**
 * Schemas of the URL parameters. Anything else is a 404. Separate from paths.ts so that no browser loads zod to build a link.
 */
import { z } from "zod";
import { familyIds } from "#server/catalogue/families/registry.ts";
import { countryCodes } from "#server/foundation/countries/registry.ts";

export const countryCode = z.enum(countryCodes);
export const familyName = z.enum(familyIds);
/** A catalogue id or a SKU: "microsoft-365-business-basic", "MS-BUSINESS-BASIC". */
export const itemName = z
  .string()
  .regex(/^[A-Za-z0-9]+([-:][A-Za-z0-9]+)*$/)
  .max(80);
export const uuid = z.string().regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
export const secretToken = z.string().regex(/^[A-Za-z0-9_-]{20,200}$/);

export const newOrderParams = z.object({ family: familyName, item: itemName, country: countryCode });
/** An order's address in any journey. The route decides which parts are present, and the order whether they match. */
export const orderParams = newOrderParams.partial().extend({ id: uuid });
export const subscriptionParams = z.object({ subscriptionId: uuid });
export const orderIdParams = z.object({ id: uuid });
export const quoteIdParams = z.object({ id: uuid });
export const exportIdParams = z.object({ exportId: uuid });
export const creditNoteIdParams = z.object({ id: uuid });
/**
 * A renewal choice is opened with the subscription's id, or with a mailed link's token, which can be any text as in
 * anyTokenParams.
 */
export const renewalChoiceParams = z.union([
  z.object({ subscriptionId: uuid, token: z.undefined().optional() }),
  z.object({ subscriptionId: z.undefined().optional(), token: z.string() }),
]);
/** An approval page is opened with the order's id, or with a mailed link's token. */
export const approvalParams = z.union([
  z.object({ id: uuid, token: z.undefined().optional() }),
  z.object({ id: z.undefined().optional(), token: secretToken }),
]);
export const tokenParams = z.object({ token: secretToken });
/** Parameters of pages behind a mailed link. They accept malformed tokens: a truncated link gets the message of an expired one. */
export const anyTokenParams = z.object({ token: z.string() });
