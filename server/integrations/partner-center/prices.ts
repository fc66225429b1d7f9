/**
 * Microsoft's price sheets: the partner's cost of each SKU in a country. They are on another host, for another audience, for a
 * user only, and tens of megabytes long, so they are streamed.
 */
import { baseOf, pathOf, streamText } from "../http.ts";
import type { TokenSource } from "../token-source.ts";
import type { PartnerCenterConfig } from "./config.ts";

/** Audience of its tokens. */
export const pricesResource = "https://api.partner.microsoft.com";

/** Licences of the new commerce; extended terms have a separate view. */
const view = "updatedlicensebased";

/** A sheet of tens of megabytes takes longer than any other call. */
const sheetMs = 5 * 60_000;

export interface PriceCalls {
  readPriceSheet(country: string, month?: string): Promise<AsyncIterable<string>>;
}

/** @param asUser tokens for `pricesResource` */
export function priceCalls(config: PartnerCenterConfig, asUser: TokenSource): PriceCalls {
  return {
    /**
     * `GET /v1.0/sales/pricesheets(…)/$value`: the sheet as CSV, in pieces of any length.
     * @param month a past one, "2026-11"; the present sheet when left out
     * @throws ProviderError; `no_consent` while no user of the partner has consented
     */
    async readPriceSheet(country, month) {
      const token = await asUser.read();
      const sheet = pathOf`/v1.0/sales/pricesheets(Market='${country}',PricesheetView='${view}')/$value`;
      const timeline = month === undefined ? "current" : `history&month=${month.replace("-", "")}`;
      return streamText({
        provider: "microsoft",
        method: "GET",
        url: `${baseOf(config.pricesUrl)}${sheet}?timeline=${timeline}`,
        headers: { Authorization: `Bearer ${token}`, Accept: "application/octet-stream" },
        secrets: [token],
        timeoutMs: sheetMs,
        onCall: config.onCall,
      });
    },
  };
}
