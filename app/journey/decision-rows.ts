/** Rows of a review that help to decide: the end of the term, the cancellation window, and the invoice's recipients. */
import type { Order } from "#db/orders/order.ts";
import { families } from "#server/catalogue/families/registry.ts";
import { formatDate } from "#server/orders/subscriptions/dates.ts";
import type { RequestContext } from "../http/request-context.ts";
import type { SummaryRow } from "../ui/summary-list.tsx";

const hourMs = 3_600_000;

export function decisionRows(
  { text, language }: Pick<RequestContext, "text" | "language">,
  order: Order,
  now: Date,
): SummaryRow[] {
  const { account, country, family, kind } = order;
  const day = ({ hours }: { hours: number }) =>
    formatDate(new Date(now.getTime() + hours * hourMs), country, language);
  const { cancel, reduce } = families[family].returns;
  // A change or a renewal has other windows, which its subscription's own page shows.
  const isOwnTerm = kind !== "ADD" && kind !== "RENEW";
  return [
    { label: text("steps.afterTerm"), value: text("steps.afterTermEnds") },
    ...(isOwnTerm && "hours" in cancel && "hours" in reduce
      ? [
          {
            label: text("steps.takeBack"),
            value: text("steps.takeBackBoth", { cancel: day(cancel), reduce: day(reduce) }),
          },
        ]
      : []),
    ...(account === null
      ? []
      : [{ label: text("steps.invoiceRow"), value: text("steps.invoiceTo", { email: account.email }) }]),
  ];
}
