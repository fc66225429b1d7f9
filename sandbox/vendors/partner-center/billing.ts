/**
 * Microsoft's bills to a partner: their list under `/partner-center`, and their lines through Microsoft Graph, which prepares
 * files under `/microsoft-files`. A bill exists once its month is over. Accepts only tokens of the application for Graph.
 */
import { gzipSync } from "node:zlib";
import { type HttpHandler, HttpResponse, http } from "msw";
import { z } from "zod";
import { billedMonths, billLines } from "../bills.ts";
import type { Bill } from "../charge.ts";
import { delayOf } from "../delays.ts";
import { anyOrigin, guid, guidOf, originOf, readJson } from "../http-helpers.ts";
import type { Partner } from "../options.ts";
import type { Sandbox } from "../sandbox.ts";
import { billBodies } from "./bill-lines.ts";
import { base, claimsOf, PartnerError, read } from "./calls.ts";

const graph = "/microsoft-graph/v1.0/reports/partners/billing";
const files = "/microsoft-files";
const graphAudience = "https://graph.microsoft.com";
const fileName = "part-00000.json.gz";
/** Token that opens the files; only the manifest contains it. */
const sas = "sv=2024-05-04&sig=sandbox";

const querySchema = z.object({
  invoiceId: z.string(),
  attributeSet: z.enum(["full", "basic"]).default("full"),
});

export function partnerBillingHandlers(sandbox: Sandbox): HttpHandler[] {
  /** Exports in preparation: their partner, month and start. Kept in memory only, because nobody relies on an old one. */
  const exports = new Map<string, { partner: Partner; month: string; since: number }>();

  type Params = Readonly<Record<string, string | readonly string[] | undefined>>;
  interface Call {
    request: Request;
    partner: Partner;
    param(name: string): string;
  }
  const graphCall = (act: (call: Call) => Promise<Response> | Response) => {
    return async ({ request, params }: { request: Request; params: Params }) => {
      try {
        const { partner, aud } = claimsOf(sandbox, request);
        if (aud !== graphAudience)
          throw new PartnerError(401, "InvalidAuthenticationToken", "Invalid audience.");
        return await act({ request, partner, param: (name) => String(params[name] ?? "") });
      } catch (error) {
        if (!(error instanceof PartnerError)) throw error;
        return graphError(error.status, error.code, error.message);
      }
    };
  };
  const exportOf = ({ param, partner }: Call) => {
    const found = exports.get(param("id"));
    if (found?.partner.country === partner.country) return found;
    throw new PartnerError(404, "ResourceNotFound", "The operation was not found.");
  };

  return [
    http.get(
      anyOrigin(`${base}/invoices`),
      read(sandbox, ({ partner }) => {
        const items = billedMonths(sandbox, termMonthsOf(sandbox, partner)).map((month) => ({
          id: invoiceId(partner, month),
          invoiceDate: `${nextMonth(month)}-08T00:00:00Z`,
          billingPeriodStartDate: `${month}-01T00:00:00Z`,
          billingPeriodEndDate: new Date(Date.parse(`${nextMonth(month)}-01`) - 1000).toISOString(),
          invoiceType: "OneTime",
        }));
        return { status: 200, body: { totalCount: items.length, items } };
      }),
    ),
    http.post(
      anyOrigin(`${graph}/reconciliation/billed/export`),
      graphCall(async ({ request, partner }) => {
        const body = querySchema.safeParse(await readJson(request).catch(() => undefined));
        const months = billedMonths(sandbox, termMonthsOf(sandbox, partner));
        const month = months.find((each) => invoiceId(partner, each) === body.data?.invoiceId);
        if (month === undefined) return graphError(400, "BadRequest", "The invoice id is not valid.");
        const id = guid();
        exports.set(id, { partner, month, since: sandbox.now() });
        return new HttpResponse(null, {
          status: 202,
          headers: { location: `${originOf(request)}${graph}/operations/${id}`, "retry-after": "10" },
        });
      }),
    ),
    http.get(
      anyOrigin(`${graph}/operations/:id`),
      graphCall((call) => {
        const { since } = exportOf(call);
        const id = call.param("id");
        const isRunning = sandbox.now() - since < delayOf(sandbox, "change");
        const createdDateTime = new Date(since).toISOString();
        if (sandbox.faults.takeAnswer(call.request, "operationError"))
          return HttpResponse.json({
            "@odata.type": "#microsoft.graph.partners.billing.failedOperation",
            id,
            status: "failed",
            createdDateTime,
            error: { code: "5000", message: "No data available" },
          });
        if (isRunning)
          return HttpResponse.json({
            "@odata.type": "#microsoft.graph.partners.billing.runningOperation",
            id,
            status: "running",
            createdDateTime,
          });
        return HttpResponse.json({
          "@odata.type": "#microsoft.graph.partners.billing.exportSuccessOperation",
          id,
          status: "succeeded",
          createdDateTime,
          "resourceLocation@odata.navigationLink": `${originOf(call.request)}${graph}/manifests/${id}`,
        });
      }),
    ),
    http.get(
      anyOrigin(`${graph}/manifests/:id`),
      graphCall((call) => {
        const { partner } = exportOf(call);
        const id = call.param("id");
        return HttpResponse.json({
          id,
          schemaVersion: "2",
          dataFormat: "compressedJSONLines",
          partitionType: "default",
          eTag: id,
          partnerTenantId: guidOf(partner.tenant),
          rootDirectory: `${originOf(call.request)}${files}/${id}`,
          sasToken: sas,
          blobCount: 1,
          blobs: [{ name: fileName, partitionValue: "default" }],
        });
      }),
    ),
    http.get(anyOrigin(`${files}/:id/:name`), ({ request, params }) => {
      const found = exports.get(String(params.id));
      const query = new URL(request.url).searchParams.toString();
      if (found === undefined || params.name !== fileName || query !== new URLSearchParams(sas).toString())
        return new HttpResponse(null, { status: 403 });
      const { partner, month } = found;
      const lines = billLines(sandbox, termMonthsOf(sandbox, partner), month);
      const bodies = billBodies(sandbox, partner, { invoice: invoiceId(partner, month), lines });
      const file = gzipSync(bodies.map((body) => JSON.stringify(body)).join("\n"));
      return new HttpResponse(new Uint8Array(file), { headers: { "content-type": "application/gzip" } });
    }),
  ];
}

/** Term of this partner's charged subscriptions. Google's names are not ids of Microsoft's. */
function termMonthsOf(sandbox: Sandbox, partner: Partner): (charged: Bill) => number | null {
  const { subscriptions, customers } = sandbox.state.partner;
  return ({ subscriptionId }) => {
    const found = subscriptions[subscriptionId];
    if (found === undefined || customers[found.customerId]?.country !== partner.country) return null;
    return found.termDuration === "P1M" ? 1 : 12;
  };
}

function invoiceId({ country }: Partner, month: string): string {
  return `G${country}${month.replace("-", "")}`;
}

function nextMonth(month: string): string {
  const next = new Date(`${month}-01T00:00:00Z`);
  next.setUTCMonth(next.getUTCMonth() + 1);
  return next.toISOString().slice(0, 7);
}

function graphError(status: number, code: string, message: string): Response {
  return HttpResponse.json({ error: { code, message } }, { status });
}
