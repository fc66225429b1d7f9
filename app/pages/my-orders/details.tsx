/** An order's details in a native popover, which opens, and closes on Escape or an outside click, without scripts. */
import { type OrderSummary, Summary } from "../../journey/review.tsx";
import { Popup, togglesPopover } from "../../ui/dialog.tsx";
import { Rich, useTranslate } from "../../ui/text.tsx";

export interface OrderDetailsView {
  id: string;
  name: string;
  /** The order's own page, or null for a viewer. */
  href: string | null;
  /** Null for an order without an invoice. */
  invoice: string | null;
  /** Link and amount of each credit note. */
  creditNotes: {
    href: string;
    number: string;
    label: string;
  }[];
  summary: OrderSummary;
}

const parts = { hidden: (inner: string) => <span className="visually-hidden">{inner}</span> };

export function Details({ id, name, href, invoice, creditNotes, summary }: OrderDetailsView) {
  const text = useTranslate();
  const popup = `details-${id}`;
  return (
    <div className="row-actions">
      <button type="button" className="quiet" {...togglesPopover(popup)}>
        <Rich text={text("orders.detailsOf", { name })} parts={parts} />
      </button>
      <Popup
        id={popup}
        title={text("orders.yourOrder")}
        actions={
          <>
            {href !== null && (
              <a className="button" href={href}>
                {text("orders.open")}
              </a>
            )}
            {invoice !== null && (
              <a className="button quiet" href={invoice}>
                {text("orders.invoice")}
              </a>
            )}
            {creditNotes.map(({ href: note, number, label }) => (
              <a key={number} className="button quiet" href={note}>
                {label}
              </a>
            ))}
          </>
        }
      >
        <Summary {...summary} />
      </Popup>
    </div>
  );
}
