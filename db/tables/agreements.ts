/** The agreements that vendors make with the buyers of their products, and who accepted them. */
import type { Generated } from "kysely";
import type { OrderId, UserId } from "../ids.ts";
import type { Country, FamilyId } from "./enums.ts";

export interface AgreementVersionsTable {
  family: FamilyId;
  country: Country;
  /** The vendor's own id of the version in force. */
  version: string;
  /** Where anyone can read it; null when the vendor names no such address. */
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
