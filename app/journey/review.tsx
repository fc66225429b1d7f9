/** What an order is: what is bought, every line of the total, and for whom. The review of every journey, and an order that is past. */
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
  /** Who hears of the order. */
  contact: Line[];
  /** Where whom it is sold to can be put right; none where a person has to do it. */
  changes: { label: string; href: string }[];
  /** Asks a person to do it; null where the buyer can, or nothing can be changed any more. */
  askUrl: string | null;
}

/** With everything the buyer has said, and a way to each answer that can still be put right. */
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
