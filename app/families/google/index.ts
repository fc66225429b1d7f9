/** Google Workspace on the pages: sold to a domain. The buyer names its administrator or brings its transfer token. */
import type { Order } from "#db/orders/order.ts";
import { formatMoney } from "#server/catalogue/pricing/format.ts";
import type { Translate } from "#server/foundation/languages/messages.ts";
import { msg } from "#server/foundation/languages/text.ts";
import { linesOf } from "#server/orders/pricing.ts";
import type { SummaryRow } from "../../ui/summary-list.tsx";
import type { ChangeOf, FamilyScreens } from "../family.ts";
import { perUser } from "../seat-rows.ts";
import { choosing } from "./choosing.ts";
import { signIn } from "./sign-in.ts";

/** Rows about the subscription that moves to us with its domain. */
function transferRows({ details, line, kind }: Order, changeOf: ChangeOf, text: Translate): SummaryRow[] {
  const { google } = details;
  if (google?.customerType !== "transfer_token") return [];
  const change = kind === "NEW" ? changeOf("details", "transferToken") : undefined;
  if (google.moves === undefined) {
    return [{ label: text("steps.transfer"), value: text("steps.transferLater"), change }];
  }
  const moves =
    google.moves === null
      ? text("steps.movesNothing")
      : text("steps.moves", {
          name: line.name,
          family: "Google",
          licences: text("orders.licences", { count: google.moves.minSeats }),
        });
  return [{ label: text("steps.movesToUs"), value: moves, change }];
}

export const google: FamilyScreens = {
  tile: "mail",
  also: null,
  plansBanner: { artwork: "meeting", title: "offers.bannerMeeting" },
  promotions: () => [],
  questions: {
    genuine: "offers.genuineDomain",
    activation: "offers.activationDomain",
  },
  choosing,
  detailsHeading: "families.setUpGoogle",
  signIn,
  review: {
    /** The domain, and how many users pay which price (docs/specification.md, section 9.1). */
    rows: (order, changeOf, text) => [
      {
        label: text("steps.domain"),
        value: order.details.google?.domain ?? "",
        change: order.kind === "NEW" ? changeOf("details", "domain") : undefined,
      },
      ...transferRows(order, changeOf, text),
      ...linesOf(order).map(({ quantity, unitPrice, amount }, index) => ({
        label: text("steps.planRow"),
        // The user count is one number even when users pay different prices, so only the first row links to it.
        change: index === 0 ? changeOf("details", "quantity") : undefined,
        value: text("steps.planUsers", {
          count: quantity,
          price: formatMoney(unitPrice),
          per: perUser(order, text),
          amount: formatMoney(amount),
        }),
      })),
    ],
    totalLabel: "steps.grandTotal",
  },
  // Google takes no licences back in a term, so the term about 72 hours is not promised (docs/decisions/departures.md).
  terms: [
    msg("legal.atMost300"),
    msg("families.googleKeepsTerm"),
    msg("legal.advanceNoCancellation"),
    msg("legal.supportAlways"),
  ],
  secret: { name: "closure.secretPassword", hint: "closure.passwordYouChose" },
};
