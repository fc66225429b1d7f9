/** The audit log as staff read it: filtered, and as a file. */
import { type AuditFilter, type AuditRecord, listAudit } from "#db/platform/audit.ts";
import type { Db } from "#db/tables/index.ts";
import { csvHeader, csvLine } from "#server/foundation/csv.ts";
import { mailKindLabels, parseLabelKey } from "./labels.ts";
import { amountOf } from "./work-queue.ts";

const pageSize = 50;
/** Largest number of rows in a file. For more, staff narrow the filter. */
const maxFileRows = 20_000;

export interface AuditEntryView {
  id: number;
  at: Date;
  by: string;
  action: string;
  subject: string;
  reason: string;
  /** Other recorded data, formatted as "name: value" parts. */
  details: string;
}

export interface AuditPage {
  entries: AuditEntryView[];
  next: string | null;
}

/** Returns a page, newest first. @param page the `next` of the page before; anything else is the first page */
export async function readAudit(db: Db, filter: AuditFilter, page: string | null): Promise<AuditPage> {
  const before = page !== null && /^\d{1,15}$/.test(page) ? Number(page) : null;
  const rows = await listAudit(db, filter, { before, limit: pageSize + 1 });
  const shown = rows.slice(0, pageSize);
  const last = rows.length > pageSize ? shown.at(-1) : undefined;
  return { entries: shown.map((row) => viewOf(row)), next: last === undefined ? null : String(last.id) };
}

/** Returns the log as comma-separated values, with a header line. */
export async function auditFile(db: Db, filter: AuditFilter): Promise<string> {
  const rows = await listAudit(db, filter, { before: null, limit: maxFileRows });
  const lines = rows.map((row) => {
    const { at, by, action, subject, reason, details } = viewOf(row);
    return csvLine([at.toISOString(), by, action, subject, reason, details]);
  });
  return [csvHeader(["at", "by", "action", "subject", "reason", "details"]), ...lines].join("");
}

/** Returns the newest entries about one subject, without row ids, which mean nothing to a reader. */
export async function readAuditOf(db: Db, subject: string): Promise<AuditEntryView[]> {
  const rows = await listAudit(db, { staff: null, action: null, subject }, { before: null, limit: pageSize });
  return rows.map((row) => viewOf(row, { withIds: false }));
}

const isId = (value: unknown) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(String(value));

function viewOf({ data, by, ...row }: AuditRecord, { withIds } = { withIds: true }): AuditEntryView {
  const facts = typeof data === "object" && data !== null ? new Map(Object.entries(data)) : new Map();
  const words = (name: string) => (facts.has(name) ? String(facts.get(name)) : "");
  const rest = [...facts].filter(([name]) => name !== "reason" && name !== "by");
  const currency = rest.some(([name]) => isAmount(name)) ? words("currency") : "";
  return {
    id: row.id,
    at: row.at,
    by: by ?? (words("by") || "the store"),
    action: row.action,
    subject: row.subject,
    reason: words("reason"),
    details: rest
      .filter(([name, value]) => (name !== "currency" || currency === "") && (withIds || !isId(value)))
      .map(([name, value]) => `${nameInWords(name)}: ${valueInWords(name, value, currency)}`)
      .join(", "),
  };
}

/** Whether the name, such as "backMinor", denotes minor units. */
const isAmount = (name: string) => name.endsWith("Minor");

/** Formats "providerPaymentId" as "provider payment id". */
function nameInWords(name: string): string {
  return name.replace(/Minor$/, "").replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** @param currency "" when none was recorded */
function valueInWords(name: string, value: unknown, currency: string): string {
  if (isAmount(name) && typeof value === "number")
    return currency === "" ? (value / 100).toFixed(2) : (amountOf({ amountMinor: value, currency }) ?? "");
  const mail = name === "kind" ? parseLabelKey(mailKindLabels, String(value)) : undefined;
  return mail === undefined ? String(value) : mailKindLabels[mail];
}
