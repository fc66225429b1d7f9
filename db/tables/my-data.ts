/** Users' requests about their own data (exports and account deletions), and their consents. */
import type { ColumnType, Generated } from "kysely";
import type { CustomerId, DataExportId, OrderId, UserId } from "../ids.ts";
import type { Json } from "./orders.ts";

export interface DataExportsTable {
  id: DataExportId;
  /** Requester, the only user who may open it. */
  user_id: UserId;
  /** Company whose data it is; null for the requester's own. */
  customer_id: CustomerId | null;
  state: "running" | "ready";
  /** Position at which writing continues, validated by zod in server/privacy. */
  place: Json;
  /** Number of files, and position of the next. */
  files: Generated<number>;
  /** Written parts, and parts that were planned at the request. */
  done: Generated<number>;
  planned: number;
  asked_at: Date;
  ready_at: Date | null;
  /** Time at which it is deleted, ready or not. */
  expires_at: Date;
}

export interface DataExportFilesTable {
  export_id: DataExportId;
  /** Position in the zip, from 0. */
  position: number;
  name: string;
  made_at: Date;
  bytes: ColumnType<Buffer, Uint8Array, never>;
}

/** A requested account deletion, which can be taken back until it is due. */
export interface AccountDeletionsTable {
  user_id: UserId;
  asked_at: Date;
  due_at: Date;
  /** Time at which the account was erased. */
  done_at: Date | null;
}

/** Our own texts that users accept. */
export type ConsentText = "terms" | "privacy";

export interface ConsentTextsTable {
  text: ConsentText;
  /** Hash of the text. */
  version: string;
  /** Messages of the text by name, in English. */
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
