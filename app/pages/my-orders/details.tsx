/** An order's details in a native popover: it opens, and closes by Escape or a press outside, without a script. */
import { Review, type ReviewSummary } from "../../journey/review.tsx";

export interface OrderDetailsView {
  id: string;
  name: string;
  /** The order's own page; null for who only looks. */
  href: string | null;
  summary: ReviewSummary;
}

// React 18 passes these on as they are, and its types do not know them yet.
const isPopover = { popover: "auto" };

export function Details({ id, name, href, summary }: OrderDetailsView) {
  const popup = `details-${id}`;
  const opens = { popovertarget: popup };
  const closes = { popovertarget: popup, popovertargetaction: "hide" };
  return (
    <>
      <button type="button" className="quiet" {...opens}>
        Details<span className="visually-hidden"> of {name}</span>
      </button>
      <div id={popup} className="dialog" role="dialog" aria-labelledby={`${popup}-title`} {...isPopover}>
        <h2 id={`${popup}-title`}>Your order</h2>
        <Review {...summary} />
        <p className="actions">
          {href !== null && (
            <a className="button" href={href}>
              Open the order
            </a>
          )}
          <button type="button" className="quiet" {...closes}>
            Close
          </button>
        </p>
      </div>
    </>
  );
}
