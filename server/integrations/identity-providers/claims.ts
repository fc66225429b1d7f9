/** Claims that are read from an identity provider's token. */
import { z } from "zod";
import { headerLine } from "#server/foundation/single-line.ts";

/** Claims that the store reads, in addition to any others of the provider. */
export const claimsSchema = z.looseObject({
  iss: z.string().min(1).max(500),
  sub: z.string().min(1).max(255),
  email: z.string().trim().optional(),
  name: z.string().overwrite(headerLine).optional(),
  given_name: z.string().overwrite(headerLine).optional(),
  family_name: z.string().overwrite(headerLine).optional(),
});
/** The claims about a person that a provider has signed. */
export type Claims = z.infer<typeof claimsSchema>;
