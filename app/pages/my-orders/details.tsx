/** An order's details in a native popover, which opens, and closes on Escape or an outside click, without scripts. */
import { type OrderSummary, Summary } from "../../journey/review.tsx";
import { Popup, togglesPopover } from "../../ui/dialog.tsx";

export interface OrderDetailsView {
  id: string;
  name: string;
  /** The order's own page, or null for a viewer. */
  href: string | null;
  /** Null for an order without an invoice. */
  invoice: string | null;
  summary: OrderSummary;
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
            {invoice !== null && (
              <a className="button quiet" href={invoice}>
                Invoice
              </a>
            )}
          </>
        }
      >
        <Summary {...summary} />
      </Popup>
    </>
  );
}
