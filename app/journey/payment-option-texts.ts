/** What the review and the page of other ways to pay say alike. */
import type { Order } from "#db/orders/order.ts";
import { formatDate } from "#server/orders/subscriptions/dates.ts";
import type { RequestContext } from "../http/request-context.ts";

/** Why a link is offered first in the browser inside an app. */
export function inAppBrowserNote(
  { text }: Pick<RequestContext, "text">,
  { app }: { app: string | null },
): string {
  return app === null ? text("paying.inSomeApp") : text("paying.inApp", { app });
}

/** Where the link of an order is, and for how long. */
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
