/** What people ask for of their own data, exports and the deletion of an account; and what they have accepted. */
import type { ColumnType, Generated } from "kysely";
import type { CustomerId, DataExportId, OrderId, UserId } from "../ids.ts";
import type { Json } from "./orders.ts";

export interface DataExportsTable {
  id: DataExportId;
  /** Who asked for it, who alone opens it. */
  user_id: UserId;
  /** The company whose data it is; null for the requester's own. */
  customer_id: CustomerId | null;
  state: "running" | "ready";
  /** What is written next, validated by zod in server/privacy. */
  place: Json;
  /** How many files there are: the position of the next. */
  files: Generated<number>;
  /** Parts that are written, of those that were planned when it was asked for. */
  done: Generated<number>;
  planned: number;
  asked_at: Date;
  ready_at: Date | null;
  /** When it is deleted, ready or not. */
  expires_at: Date;
}

export interface DataExportFilesTable {
  export_id: DataExportId;
  /** From 0, in the order of the zip. */
  position: number;
  name: string;
  made_at: Date;
  bytes: ColumnType<Buffer, Uint8Array, never>;
}

/** A wish to be forgotten: taken back until it is due, and carried out then. */
export interface AccountDeletionsTable {
  user_id: UserId;
  asked_at: Date;
  due_at: Date;
  /** The account is empty since then. */
  done_at: Date | null;
}

/** Our own texts that are accepted. */
export type ConsentText = "terms" | "privacy";

export interface ConsentTextsTable {
  text: ConsentText;
  /** Made of its words. */
  version: string;
  /** Its messages by name, in English. */
  words: Json;
  first_used_at: Date;
}

export interface ConsentsTable {
  id: string;
  user_id: UserId;
  order_id: OrderId | null;
  text: ConsentText;
  version: string;
  language: string | null;
  /** An IPv4 address, or the /64 of an IPv6 address. */
  network: string | null;
  accepted_at: Date;
}
