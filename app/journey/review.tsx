/**
 * An order's summary: what is bought, every line of the total, and for whom. Used by every journey's review and for past
 * orders.
 */
import { type Line, Lines, Totals } from "../ui/lines.tsx";

export interface OrderSummary {
  rows: Line[];
  totals: Line[];
  soldTo: string[];
}

export function Summary({ rows, totals, soldTo }: OrderSummary) {
  return (
    <>
      <Lines lines={rows} />
      <Totals lines={totals} />
      <SoldTo lines={soldTo} />
    </>
  );
}

export interface ReviewSummary extends OrderSummary {
  /** The contact for the order. */
  contact: Line[];
  /** Links to edit the company and address. Empty where only a person can change them. */
  changes: { label: string; href: string }[];
  /** A mail to support to change them. Null where the buyer can, or where nothing can be changed any more. */
  askUrl: string | null;
}

/** Everything the buyer entered, with a link to each answer that can still be edited. */
export function Review({ rows, totals, contact, soldTo, changes, askUrl }: ReviewSummary) {
  return (
    <>
      <h2>Your order</h2>
      <Lines lines={rows} />
      <Totals lines={totals} />
      <h2>Contact</h2>
      <Lines lines={contact} label="Contact" />
      <SoldTo lines={soldTo} />
      {changes.length > 0 && (
        <p className="actions">
          {changes.map(({ label, href }) => (
            <a key={label} href={href}>
              {label}
            </a>
          ))}
        </p>
      )}
      {askUrl !== null && (
        <p className="hint">
          This is what your company has with us. <a href={askUrl}>Ask us to change it</a>
        </p>
      )}
    </>
  );
}

function SoldTo({ lines }: { lines: string[] }) {
  return (
    <>
      <h2>Sold to</h2>
      <address>
        {lines.map((line) => (
          <span key={line}>{line}</span>
        ))}
      </address>
    </>
  );
}
