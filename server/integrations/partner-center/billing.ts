/**
 * Microsoft's bills to the partner. Partner Center lists them; Microsoft Graph prepares a bill's lines as files, which are
 * requested, polled and then read (docs/providers.md, section 1.10).
 */
import { z } from "zod";
import { ProviderError } from "../errors.ts";
import {
  baseOf,
  errorOf,
  type ProviderResponse,
  parseResponse,
  pathOf,
  refusedInReply,
  send,
  streamText,
} from "../http.ts";
import type { TokenSource } from "../token-source.ts";
import type { Api } from "./api.ts";
import type { PartnerCenterConfig } from "./config.ts";

/** Audience of Graph's tokens. The application needs the permission PartnerBilling.Read.All. */
export const graphResource = "https://graph.microsoft.com";

/** A file of a bill's lines takes longer than any other call. */
const fileMs = 5 * 60_000;

export interface PartnerInvoice {
  id: string;
  /** Month in which its charges begin: "2026-11". */
  month: string;
}

export interface BillingCalls {
  listInvoices(): Promise<PartnerInvoice[]>;
  beginExport(invoiceId: string): Promise<string>;
  readExport(operation: string): Promise<AsyncIterable<string> | null>;
}

const day = z.string().regex(/^\d{4}-\d\d-\d\d/);

/** The period is a property of an invoice, and Microsoft's example of a list leaves it out. */
const invoices = z.object({
  items: z.array(
    z.object({ id: z.string().min(1), billingPeriodStartDate: day.nullish(), invoiceDate: day }),
  ),
});

/** Returns the month of the period; else the one before the invoice's date, as a bill is created in the days after its month. */
function monthOf({ billingPeriodStartDate, invoiceDate }: z.infer<typeof invoices>["items"][number]): string {
  if (billingPeriodStartDate != null) return billingPeriodStartDate.slice(0, 7);
  const [year = 0, month = 0] = invoiceDate.split("-").map(Number);
  return new Date(Date.UTC(year, month - 2)).toISOString().slice(0, 7);
}

const operationReply = z.object({
  status: z.string(),
  error: z.object({ code: z.string().nullish(), message: z.string().nullish() }).nullish(),
  "resourceLocation@odata.navigationLink": z.url().optional(),
});

const manifest = z.object({
  rootDirectory: z.url(),
  sasToken: z.string(),
  // Microsoft's example contains the latter, without any explanation.
  dataFormat: z.enum(["compressedJSONLines", "compressedJSON"]),
  blobs: z.array(z.object({ name: z.string().min(1) })),
});

/** @param asApplication tokens for `graphResource` */
export function billingCalls(
  api: Api,
  config: PartnerCenterConfig,
  asApplication: TokenSource,
): BillingCalls {
  async function once(
    token: string,
    method: "GET" | "POST",
    path: string,
    json: unknown,
  ): Promise<ProviderResponse> {
    return send({
      provider: "microsoft",
      method,
      url: baseOf(config.graphUrl ?? `${graphResource}/v1.0`) + path,
      headers: { Authorization: `Bearer ${token}` },
      json,
      secrets: [token],
      timeoutMs: config.timeoutMs,
      onCall: config.onCall,
    });
  }

  async function graph(method: "GET" | "POST", path: string, json?: unknown): Promise<ProviderResponse> {
    const token = await asApplication.read();
    const answer = await once(token, method, path, json);
    if (answer.status !== 401) return answer;
    // The token was revoked early.
    asApplication.drop(token);
    return once(await asApplication.read(), method, path, json);
  }

  async function* linesOf({
    rootDirectory,
    sasToken,
    blobs,
  }: z.infer<typeof manifest>): AsyncGenerator<string> {
    for (const { name } of blobs) {
      const url = `${baseOf(rootDirectory)}/${name.split("/").map(encodeURIComponent).join("/")}?${sasToken}`;
      yield* await streamText(
        {
          provider: "microsoft",
          method: "GET",
          url,
          secrets: [sasToken],
          timeoutMs: fileMs,
          onCall: config.onCall,
        },
        { isCompressed: true },
      );
      // The last line of a file may lack its line break.
      yield "\n";
    }
  }

  return {
    /** `GET /v1/invoices`. @throws ProviderError */
    async listInvoices() {
      const { items } = parseResponse(await api({ method: "GET", path: "/v1/invoices" }), invoices);
      return items.map((invoice) => ({ id: invoice.id, month: monthOf(invoice) }));
    },

    /**
     * `POST /reports/partners/billing/reconciliation/billed/export`: requests a bill's lines.
     * @returns the operation that prepares them, for readExport
     * @throws ProviderError
     */
    async beginExport(invoiceId) {
      const answer = await graph("POST", "/reports/partners/billing/reconciliation/billed/export", {
        invoiceId,
        attributeSet: "full",
      });
      const operation = answer.location?.split("/").at(-1) ?? "";
      if (answer.status === 202 && operation !== "") return operation;
      throw answer.status >= 400
        ? errorOf(answer)
        : new ProviderError("microsoft", "refused", answer.call, { code: "no_operation" });
    },

    /**
     * Yields the lines of a bill as JSON, one per line, in pieces of any length; null while they are being prepared.
     * @throws ProviderError; refused when the operation has failed
     */
    async readExport(operation) {
      const answer = await graph("GET", pathOf`/reports/partners/billing/operations/${operation}`);
      const {
        status,
        error,
        "resourceLocation@odata.navigationLink": link,
      } = parseResponse(answer, operationReply);
      if (status === "failed") throw refusedInReply(answer, error?.code ?? "export_failed", error?.message);
      const id = link?.split("/").at(-1) ?? "";
      if (status !== "succeeded" || id === "") return null;
      // Only the path: the token goes to the configured address, wherever a response points.
      const made = await graph("GET", pathOf`/reports/partners/billing/manifests/${id}`);
      return linesOf(parseResponse(made, manifest));
    },
  };
}
