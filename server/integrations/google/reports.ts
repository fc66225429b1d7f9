/**
 * Cloud Channel's reports: runs the report of the reseller's bill for a month, polls it, and reads it page by page. Google marks
 * the service as deprecated; docs/providers.md, section 2.7, lists the uncertainties.
 */
import { z } from "zod";
import { ProviderError, pathOf } from "../http.ts";
import { type Api, allPages, resourcePath } from "./api.ts";
import type { GoogleConfig } from "./config.ts";
import { readReply } from "./errors.ts";
import { int64 } from "./offers.ts";
import { type OperationCalls, operationOf } from "./operations.ts";

/** A row as text, by the ids of the report's columns. Dates are "2026-11-24", amounts units of their currency. */
export type ReportRow = Readonly<Record<string, string>>;

export interface ReportCalls {
  beginBillReport(month: string): Promise<string>;
  readBillReport(operation: string): Promise<ReportRow[] | null>;
}

const reports = z.object({
  reports: z.array(z.object({ name: z.string().min(1), displayName: z.string().default("") })).default([]),
  nextPageToken: z.string().optional(),
});

/** The operation's response. */
const finished = z.object({ reportJob: z.object({ name: z.string().min(1) }) });

const date = z.object({ year: z.int(), month: z.int(), day: z.int() });
const value = z
  .object({
    stringValue: z.string().optional(),
    intValue: int64.optional(),
    decimalValue: z.object({ value: z.string() }).optional(),
    moneyValue: z
      .object({ currencyCode: z.string(), units: int64.default(0), nanos: z.int().default(0) })
      .optional(),
    dateValue: date.optional(),
    dateTimeValue: date.optional(),
  })
  .transform((given) => {
    const { moneyValue: money, dateValue, dateTimeValue } = given;
    if (money !== undefined)
      return { text: String(money.units + money.nanos / 1e9), currency: money.currencyCode };
    const day = dateValue ?? dateTimeValue;
    const two = (part: number) => String(part).padStart(2, "0");
    const text =
      day === undefined
        ? (given.stringValue ?? given.decimalValue?.value ?? given.intValue?.toString() ?? "")
        : `${day.year}-${two(day.month)}-${two(day.day)}`;
    return { text, currency: undefined };
  });

const results = z.object({
  reportMetadata: z.object({
    report: z.object({ columns: z.array(z.object({ columnId: z.string() })) }),
  }),
  rows: z.array(z.object({ values: z.array(value).default([]) })).default([]),
  nextPageToken: z.string().optional(),
});

/** @param api with tokens for reports @param operations reads the result of a report run */
export function reportCalls(
  api: Api,
  operations: Pick<OperationCalls, "getOperation">,
  config: GoogleConfig,
): ReportCalls {
  const account = pathOf`/v1/accounts/${config.accountId}`;

  async function findReport(): Promise<string> {
    const all = await allPages("GET reports", async (page) => {
      const answer = await api({ api: "channel", method: "GET", path: `${account}/reports`, query: page });
      const { reports: items, nextPageToken } = readReply(answer, reports);
      return { items, nextPageToken };
    });
    const found = all.find(({ displayName }) => displayName === config.billReport);
    if (found !== undefined) return found.name;
    throw new ProviderError("google", "refused", "GET reports", {
      code: "no_such_report",
      description: `There is no report "${config.billReport}" among ${all.map(({ displayName }) => displayName).join(", ")}`,
    });
  }

  return {
    /**
     * `POST /v1/{report}:run` for a month's bills.
     * @param month "2026-11"
     * @returns the operation, for readBillReport
     * @throws ProviderError
     */
    async beginBillReport(month) {
      const [year = 0, number = 0] = month.split("-").map(Number);
      const next = new Date(Date.UTC(year, number));
      const answer = await api({
        api: "channel",
        method: "POST",
        path: `${resourcePath("report", await findReport())}:run`,
        json: {
          dateRange: {
            invoiceStartDate: { year, month: number, day: 1 },
            invoiceEndDate: { year: next.getUTCFullYear(), month: next.getUTCMonth() + 1, day: 1 },
          },
        },
      });
      return operationOf(answer);
    },

    /** Returns the report's rows; null while it is being prepared. @throws ProviderError */
    async readBillReport(operation) {
      const job = await operations.getOperation(operation, finished);
      if (job.state === "pending") return null;
      if (job.state === "failed") throw job.error;
      const path = `${resourcePath("report job", job.response.reportJob.name)}:fetchReportResults`;
      return allPages("POST fetchReportResults", async (page) => {
        const answer = await api({ api: "channel", method: "POST", path, json: page });
        const { reportMetadata, rows, nextPageToken } = readReply(answer, results);
        const columns = reportMetadata.report.columns.map(({ columnId }) => columnId);
        return { items: rows.map(({ values }) => rowOf(columns, values)), nextPageToken };
      });
    },
  };
}

/** Maps values to columns; the currency of an amount goes under `currency`. */
function rowOf(columns: readonly string[], values: readonly z.output<typeof value>[]): ReportRow {
  const row: Record<string, string> = {};
  for (const [index, { text, currency }] of values.entries()) {
    row[columns[index] ?? ""] = text;
    if (currency !== undefined) row.currency = currency;
  }
  return row;
}
