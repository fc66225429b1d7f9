/** An order's details in a native popover: it opens, and closes by Escape or a press outside, without a script. */
import { Review, type ReviewSummary } from "../../journey/review.tsx";
import { Popup, togglesPopover } from "../../ui/dialog.tsx";

export interface OrderDetailsView {
  id: string;
  name: string;
  /** The order's own page; null for who only looks. */
  href: string | null;
  invoice: string;
  summary: ReviewSummary;
}

export function Details({ id, name, href, invoice, summary }: OrderDetailsView) {
  const popup = `details-${id}`;
  return (
    <>
      <button type="button" className="quiet" {...togglesPopover(popup)}>
        Details<span className="visually-hidden"> of {name}</span>
      </button>
      <Popup
        id={popup}
        title="Your order"
        actions={
          <>
            {href !== null && (
              <a className="button" href={href}>
                Open the order
              </a>
            )}
            <a className="button quiet" href={invoice}>
              Invoice
            </a>
          </>
        }
      >
        <Review {...summary} />
      </Popup>
    </>
  );
}
