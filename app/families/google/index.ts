/** Google Workspace on the pages: sold to a domain. The buyer names its administrator or brings its transfer token. */
import { linesOf } from "#server/orders/pricing.ts";
import { formatMoney } from "#server/pricing/format.ts";
import { cappedTerms, perUser } from "../common.ts";
import type { FamilyScreens } from "../family.ts";
import { signIn } from "./sign-in.ts";

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
      ...(order.details.google?.customerType === "transfer_token"
        ? [
            {
              label: "Transfer",
              value: "This domain moves to us, with a transfer token of its administrator",
            },
          ]
        : []),
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
