/** Queries on the sign-in credentials of orders, which are kept encrypted. */
import { type RawBuilder, sql } from "kysely";
import type { CredentialsTable } from "./tables/fulfilment.ts";

/** Nobody is shown it, so its time does not wait for that. */
export const untold: CredentialsTable["purpose"] = "transfer-token";

/** Which credentials have had their time: nobody reads them any more, and clean-up deletes them. */
export function credentialsOver(now: Date): RawBuilder<boolean> {
  return sql`expires_at <= ${now} and (purpose = ${untold} or first_shown_at is not null)`;
}
