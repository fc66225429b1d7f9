/** An order's invoice as its reader sees it: the text of the page, and that of the PDF. */

import type { OrderId } from "#db/ids.ts";
import type { Db } from "#db/tables/index.ts";
import { buildReturns, type GstReturn } from "#server/billing/documents/gstr1/build.ts";
import { gstCountry } from "#server/foundation/countries/registry.ts";
import * as paths from "#server/foundation/paths.ts";
import { zonedMonth } from "#server/orders/subscriptions/dates.ts";
import type { HttpBrowser } from "./http-browser.ts";
import { pdfPages } from "./pdf-text.ts";

/** Text of a page, with whitespace collapsed. */
export const wordsOf = (html: string) =>
  html
    .replace(/<(script|head)\b.*?<\/\1>/gs, " ")
    .replace(/<[^>]*>/g, " ")
    .replace(/&#x27;/g, "'")
    .replace(/\s+/g, " ");

export async function pdfOf(browser: HttpBrowser, orderId: OrderId) {
  // Uses fetch, because HttpBrowser reads text and a PDF is bytes.
  const response = await fetch(new URL(paths.invoicePdf(orderId), browser.origin), {
    headers: { Cookie: `session=${browser.cookie("session")}` },
    redirect: "manual",
  });
  const file = new Uint8Array(await response.arrayBuffer());
  return { response, file, pages: await pdfPages(file) };
}

/** GST returns for the months from a time to now: two if a month ends in between, as at 18:30 UTC. */
export async function returnsSince(db: Db, from: Date): Promise<GstReturn[]> {
  const months = new Set([from, new Date()].map((at) => zonedMonth(at, gstCountry)));
  const returns = await Promise.all([...months].map((month) => buildReturns(db, month)));
  return returns.flatMap((each) => each.returns);
}
