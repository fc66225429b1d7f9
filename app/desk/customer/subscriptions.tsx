/** A company's subscriptions, each figure next to its vendor's. */
import type { ComparedValue } from "#server/desk/customers.ts";
import type { StateTone } from "#server/desk/labels.ts";
import { Breakable } from "../../ui/breakable.tsx";
import { ListTable } from "../../ui/list.tsx";
import { StateBadge } from "../state-badge.tsx";
import { Word } from "../word.tsx";
import { Part, Time } from "./part.tsx";
import type { CustomerPageView } from "./view.ts";

export function Subscriptions({ subscriptions }: Pick<CustomerPageView, "subscriptions">) {
  return (
    <Part title="Subscriptions" none={subscriptions.length === 0 && "This company has no subscriptions."}>
      <ListTable
        label="Subscriptions, here and at the vendor"
        columns={[
          { label: "Plan", holds: "words" },
          { label: "Licenses", holds: "amount" },
          "Term until",
          "State",
          { label: "Renewal", holds: "words" },
          "Vendor last read",
        ]}
        rows={subscriptions.map((subscription) => ({
          id: subscription.id,
          cells: [
            <span key="plan" className="stacked">
              {subscription.name}
              <small>
                <Word>{subscription.domain}</Word>
              </small>
            </span>,
            <span key="seats" className="stacked">
              <Compared figure={subscription.seats} />
              {subscription.inUse !== null && <small>{subscription.inUse}</small>}
            </span>,
            <Compared key="until" figure={subscription.until} />,
            <Compared key="state" figure={subscription.state} tone={subscription.tone} />,
            <span key="renewal" className="stacked">
              {subscription.renewal?.words ?? "not chosen"}
              {subscription.renewal !== null && (
                <small>
                  <Breakable>{subscription.renewal.by}</Breakable>
                </small>
              )}
            </span>,
            <Time
              key="read"
              at={subscription.readAt}
              none={subscription.hasVendor ? "not yet" : "no vendor"}
            />,
          ],
        }))}
      />
    </Part>
  );
}

/** Our figure, with the vendor's below it if there is one. A difference is marked by text, not only by colour. */
function Compared({
  figure: { ours, theirs, differs },
  tone,
}: {
  figure: ComparedValue;
  /** Look of a state; left out for a figure. */
  tone?: StateTone;
}) {
  return (
    <span className="stacked">
      {tone === undefined ? ours : <StateBadge tone={tone}>{ours}</StateBadge>}
      {theirs !== null && (
        <small>{differs ? <mark>Mismatch: vendor has {theirs}</mark> : `vendor: ${theirs}`}</small>
      )}
    </span>
  );
}
