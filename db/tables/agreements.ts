/** Vendors' agreements with the buyers of their products, and acceptances. */
import type { Generated } from "kysely";
import type { OrderId, UserId } from "../ids.ts";
import type { Country, FamilyId } from "./enums.ts";

export interface AgreementVersionsTable {
  family: FamilyId;
  country: Country;
  /** The vendor's id of the version in force. */
  version: string;
  /** Public address of the agreement; null when the vendor names none. */
  link: string | null;
  seen_at: Generated<Date>;
}

export interface AgreementAcceptancesTable {
  id: string;
  order_id: OrderId;
  /** Its name, as the buyer read it. */
  agreement: string;
  /** Null when the vendor could not say which version was in force. */
  version: string | null;
  accepted_at: Date;
  user_id: UserId | null;
  first_name: string;
  last_name: string;
  email: string;
  phone_number: string;
}
