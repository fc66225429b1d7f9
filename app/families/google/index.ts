/** Google Workspace on the pages: sold to a domain. The buyer names its administrator or brings its transfer token. */
import type { Order } from "#db/order.ts";
import { linesOf } from "#server/orders/pricing.ts";
import { formatMoney } from "#server/pricing/format.ts";
import { licences } from "#server/pricing/quantity.ts";
import type { Line } from "../../ui/lines.tsx";
import { cappedTerms, perUser } from "../common.ts";
import type { ChangeOf, FamilyScreens } from "../family.ts";
import { signIn } from "./sign-in.ts";

/** What comes with a domain that moves to us. */
function transferRows({ details, line, kind }: Order, changeOf: ChangeOf): Line[] {
  const { google } = details;
  if (google?.customerType !== "transfer_token") return [];
  const change = kind === "NEW" ? changeOf("details", "transferToken") : undefined;
  if (google.moves === undefined) {
    const value =
      "This domain moves to us, with a transfer token that you enter after the payment. What it moves has to fit this order";
    return [{ label: "Transfer", value, change }];
  }
  const moves =
    google.moves === null
      ? "This domain moves to us without a subscription. The plan is bought new"
      : `${line.name}, which Google moves with no fewer than ${licences(google.moves.leastSeats)}. Nothing else moves`;
  return [{ label: "Moves to us", value: moves, change }];
}

export const google: FamilyScreens = {
  also: null,
  plansBanner: { artwork: "meeting", title: "Mail, documents and calls that teams share live" },
  promotions: () => [],
  questions: {
    genuine:
      "Yes. Every licence is genuine, comes from Google through its partner, and belongs to your company's own domain.",
    activation:
      "Activation is automatic too. After the payment you choose the administrator of your domain, or enter a transfer token if Google knows the domain already, and the licences are set up.",
  },
  detailsHeading: "Set up your Google Subscription",
  signIn,
  review: {
    /** The domain, and how many users pay which price (docs/specification.md, section 9.1). */
    rows: (order, changeOf) => [
      {
        label: "Domain",
        value: order.details.google?.domain ?? "",
        change: order.kind === "NEW" ? changeOf("details", "domain") : undefined,
      },
      ...transferRows(order, changeOf),
      ...linesOf(order).map(({ quantity, unitPrice, amount }, index) => ({
        label: "Plan",
        // The user count is one number even when users pay different prices, so only the first row links to it.
        change: index === 0 ? changeOf("details", "quantity") : undefined,
        value: `${quantity} ${quantity === 1 ? "user" : "users"} x ${formatMoney(unitPrice)} ${perUser(order)} = ${formatMoney(amount)}`,
      })),
    ],
    totalLabel: "Grand Total",
  },
  terms: cappedTerms,
  secret: { name: "Password", hint: "This is the password you chose." },
};
