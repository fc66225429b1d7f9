/**
 * Cloud Channel's reports, of which there is one: the reseller's bill, month by month. It requires tokens with a separate scope,
 * covers whole months, and is an operation like all others.
 */
import { type HttpHandler, http } from "msw";
import { z } from "zod";
import { type BillLine, billedMonths, billLines } from "../bills.ts";
import type { Bill } from "../charge.ts";
import { anyOrigin, guid, type JsonObject } from "../http-helpers.ts";
import type { Sandbox } from "../sandbox.ts";
import { type Api, type Call, channel, GoogleError, pageOf, parse, read, write } from "./calls.ts";
import { beginReport } from "./operations.ts";

const account = "/google-channel/v1/accounts/:account([^/:]+)";
const reportId = "613bf59q";
const displayName = "Google Workspace Invoice";

const reports: Api = {
  ...channel,
  scopes: ["https://www.googleapis.com/auth/apps.reports.usage.readonly"],
};

const date = z.object({ year: z.int(), month: z.int().min(1).max(12), day: z.int() });
const run = z.object({ dateRange: z.object({ invoiceStartDate: date, invoiceEndDate: date }) });

const columns = [
  ["invoice_number", "STRING"],
  ["entitlement", "STRING"],
  ["charge_type", "STRING"],
  ["quantity", "INT"],
  ["unit_price", "MONEY"],
  ["cost", "MONEY"],
  ["charge_start_date", "DATE"],
  ["charge_end_date", "DATE"],
  ["line", "STRING"],
] as const;

export function googleReportHandlers(sandbox: Sandbox): HttpHandler[] {
  return [
    http.get(
      anyOrigin(`${account}/reports`),
      read(sandbox, reports, (call) => ({ reports: [reportBody(call)] })),
    ),
    http.post(
      anyOrigin(`${account}/reports/:report([^/:]+)\\:run`),
      write(sandbox, reports, (call) => {
        if (call.param("report") !== reportId)
          throw new GoogleError("NOT_FOUND", "The report identifier was not found.");
        const { invoiceStartDate: from, invoiceEndDate: to } = parse(run, call.body).dateRange;
        // The job's id names its period, so that a restarted sandbox knows it.
        const job = `${monthText(from)}_${monthText(to)}_${guid().slice(0, 8)}`;
        const name = `accounts/${call.param("account")}/reportJobs/${job}`;
        return { body: beginReport(sandbox, { reportJob: { name, reportStatus: { state: "AVAILABLE" } } }) };
      }),
    ),
    http.post(
      anyOrigin(`${account}/reportJobs/:job([^/:]+)\\:fetchReportResults`),
      read(sandbox, reports, (call) => {
        const [from = "", to = ""] = call.param("job").split("_");
        const lines = billedMonths(sandbox, termMonths)
          .filter((month) => month >= from && month < to)
          .flatMap((month) => billLines(sandbox, termMonths, month).map((line) => ({ line, month })));
        const params = new URLSearchParams(
          Object.entries(parse(z.record(z.string(), z.coerce.string()), call.body)),
        );
        const { items, ...page } = pageOf(lines, params, { usual: 1000, most: 30_000 });
        return {
          reportMetadata: { report: reportBody(call), rowCount: String(lines.length) },
          rows: items.map(({ line, month }) => ({ values: valuesOf(line, month) })),
          ...page,
        };
      }),
    ),
  ];
}

/** All of Google's commitments are for a year. */
function termMonths({ subscriptionId }: Bill): number | null {
  return subscriptionId.startsWith("accounts/") ? 12 : null;
}

function reportBody(call: Call): JsonObject {
  return {
    name: `accounts/${call.param("account")}/reports/${reportId}`,
    displayName,
    columns: columns.map(([columnId, dataType]) => ({ columnId, dataType, displayName: columnId })),
  };
}

function valuesOf(
  { id, subscriptionId, kind, seats, unitPrice, amount, currency, ...line }: BillLine,
  month: string,
) {
  const money = (sum: number) => {
    const billionths = Math.round(sum * 1e9);
    const nanos = billionths % 1e9;
    return { moneyValue: { currencyCode: currency, units: String((billionths - nanos) / 1e9), nanos } };
  };
  return [
    { stringValue: `GW${month.replace("-", "")}` },
    { stringValue: subscriptionId },
    { stringValue: kind === "seats" ? "SEATS_ADDED" : "COMMITMENT_STARTED" },
    { intValue: String(seats) },
    money(unitPrice),
    money(amount),
    { dateValue: dateOf(line.startsAt) },
    { dateValue: dateOf(line.endsAt) },
    { stringValue: id },
  ];
}

function dateOf(time: number) {
  const at = new Date(time);
  return { year: at.getUTCFullYear(), month: at.getUTCMonth() + 1, day: at.getUTCDate() };
}

function monthText({ year, month }: z.infer<typeof date>): string {
  return `${year}-${String(month).padStart(2, "0")}`;
}
