/** Texts that the review and the page of other payment methods share. */
import type { Order } from "#db/orders/order.ts";
import { formatDate } from "#server/orders/subscriptions/dates.ts";
import type { RequestContext } from "../http/request-context.ts";

/** Explains why the payment link comes first inside an app's browser. */
export function inAppBrowserNote(
  { text }: Pick<RequestContext, "text">,
  { app }: { app: string | null },
): string {
  return app === null ? text("paying.inSomeApp") : text("paying.inApp", { app });
}

/** Describes where an order's payment link is, and how long it is valid. */
export function paymentLinkText(
  { text, language }: Pick<RequestContext, "text" | "language">,
  { account, country }: Order,
  link: { url: string | null; expiresAt: Date | null },
): string {
  if (link.url === null || link.expiresAt === null || account === null) return text("paying.linkComing");
  return text("paying.linkSent", {
    email: account.email,
    date: formatDate(link.expiresAt, country, language),
  });
}
