/** Texts for the buyer about the quote requests to approvers and payers, and their answers. */
import type { Country } from "#db/tables/enums.ts";
import type { QuoteRequest } from "#server/billing/quotes/requests.ts";
import { formatDate } from "#server/orders/subscriptions/dates.ts";
import type { RequestContext } from "../../http/request-context.ts";

export function quoteRequestTexts(
  { text, language }: Pick<RequestContext, "text" | "language">,
  { kind, email, createdAt, answer }: QuoteRequest,
  country: Country,
): string {
  const on = (at: Date) => ({ email, date: formatDate(at, country, language) });
  if (answer === null)
    return kind === "approve"
      ? text("quotes.askedToApprove", on(createdAt))
      : text("quotes.askedToPay", on(createdAt));
  const { what, words, at } = answer;
  if (what === "transferred") return text("quotes.hasTransferred", on(at));
  if (what === "refused") return text("quotes.hasRefused", { ...on(at), words });
  return words === ""
    ? text("quotes.hasApproved", on(at))
    : text("quotes.hasApprovedSaying", { ...on(at), words });
}
