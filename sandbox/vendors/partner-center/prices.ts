/**
 * Price sheets under `/partner-prices`: a partner's costs in its country, as comma-separated values. Only for a user, with a
 * token for this audience. Every price has an earlier one whose dates overlap it, a lower one for schools, and one that was
 * removed.
 */
import { type HttpHandler, HttpResponse, http } from "msw";
import type { Sandbox } from "../sandbox.ts";
import { claimsOf, errorResponse, PartnerError } from "./calls.ts";
import { currencyIn } from "./catalogue.ts";
import { type PartnerSku, skusIn } from "./products.ts";

export const pricesAudience = "https://api.partner.microsoft.com";

const sheet =
  /\/partner-prices\/v1\.0\/sales\/pricesheets\(Market='([A-Z]{2})',PricesheetView='(\w+)'\)\/\$value$/;

// The last column heading ends in a curly quote, as in Microsoft's own sample.
const header =
  '"ChangeIndicator","ProductTitle","ProductId","SkuId","SkuTitle","Publisher","SkuDescription","UnitOfMeasure","TermDuration","BillingPlan","Market","Currency","UnitPrice","PricingTierRangeMin","PricingTierRangeMax","EffectiveStartDate","EffectiveEndDate","Tags","Segment","ERP Price“';

export function partnerPriceHandlers(sandbox: Sandbox): HttpHandler[] {
  return [
    http.get(/\/partner-prices\//, ({ request }) => {
      try {
        return new HttpResponse(sheetFor(sandbox, request), {
          headers: { "content-type": "application/octet-stream" },
        });
      } catch (error) {
        if (error instanceof PartnerError) return errorResponse(error, request);
        throw error;
      }
    }),
  ];
}

function sheetFor(sandbox: Sandbox, request: Request): string {
  const url = new URL(request.url);
  const { partner, upn, aud } = claimsOf(sandbox, request);
  if (upn === undefined || aud !== pricesAudience)
    throw new PartnerError(401, 401, "The token is not for a user, or not for this audience.");
  const [, market = "", view] = sheet.exec(decodeURIComponent(url.pathname)) ?? [];
  const timeline = url.searchParams.get("timeline") ?? "current";
  const plansOf = views[view ?? ""];
  if (market !== partner.country || plansOf === undefined || timeline === "future")
    throw new PartnerError(404, 404, "There is no such price sheet.");
  if (timeline === "history" && !/^\d{6}$/.test(url.searchParams.get("month") ?? ""))
    throw new PartnerError(400, 400, "The month is missing.");
  const rows = skusIn(sandbox, market).flatMap((sku) => rowsOf(sandbox, sku, market, plansOf(sku)));
  return `${[header, ...rows].join("\r\n")}\r\n`;
}

interface Plan {
  term: string;
  plan: string;
  retail: number;
  /** Suffix of the SKU's title. */
  title?: string;
}

/** The available sheets, each with its plans of a SKU. An extended term costs 3 % more than a month of the yearly plan. */
const views: Readonly<Record<string, (sku: PartnerSku) => Plan[]>> = {
  updatedlicensebased: ({ retail: [month, year] }) => [
    { term: "P1M", plan: "Monthly", retail: month },
    { term: "P1Y", plan: "Monthly", retail: year / 12 },
    { term: "P1Y", plan: "Annual", retail: year },
  ],
  licensebasedest: ({ retail: [, year] }) => [
    { term: "P1M", plan: "Monthly", retail: (year / 12) * 1.03, title: " (Extended Service Term)" },
  ],
};

function rowsOf(sandbox: Sandbox, sku: PartnerSku, market: string, plans: readonly Plan[]): string[] {
  const now = new Date(sandbox.now());
  const thisMonth = Date.UTC(now.getUTCFullYear(), now.getUTCMonth());
  const yearAgo = Date.UTC(now.getUTCFullYear() - 1, now.getUTCMonth());
  const forEver = Date.UTC(9999, 11, 31);
  return plans.flatMap(({ term, plan, retail, title = "" }) => {
    const row = (segment: string, percent: number, from: number, change = "Unchanged") =>
      [
        change,
        sku.title,
        sku.productId,
        sku.skuId,
        `${sku.skuTitle}${title}`,
        "Microsoft Corporation",
        `${sku.skuTitle}, for "everyone"`,
        "",
        term,
        plan,
        market,
        currencyIn(market),
        plain((retail * percent) / 100),
        "",
        "",
        dateText(from),
        dateText(forEver),
        "License",
        segment,
        plain(retail),
      ]
        .map((cell) => `"${cell.replaceAll('"', '""')}"`)
        .join(",");
    return [
      row("Commercial", sku.costPercent, thisMonth),
      row("Commercial", sku.costPercent - 10, yearAgo),
      row("Education", sku.costPercent - 30, thisMonth),
      row("Commercial", sku.costPercent - 20, thisMonth, "Removed"),
    ];
  });
}

function plain(amount: number): string {
  return String(Math.round(amount * 10_000) / 10_000);
}

/** "2026-11-01T00:00:00.0000000Z", the format of today's sheets; earlier ones had "11/1/2026 12:00:00 AM". */
function dateText(time: number): string {
  return new Date(time).toISOString().replace("Z", "0000Z");
}
