/**
 * An order's summary: what is bought, every line of the total, and for whom. Used by every journey's review and for past
 * orders.
 */
import { Bill } from "../ui/bill.tsx";
import { type Line, Lines, Totals } from "../ui/lines.tsx";
import { Rich, useText } from "../ui/text.tsx";

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
      <SoldTo title={useText()("review.soldTo")} lines={soldTo} />
    </>
  );
}

/** How a total came about, said by the loader, whose words no page ships. */
export interface ComputedView {
  title: string;
  sentences: string[];
}

export function Computed({ title, sentences }: ComputedView) {
  return (
    <details>
      <summary>{title}</summary>
      <ol>
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ol>
    </details>
  );
}

export interface ReviewSummary {
  rows: Line[];
  bill: {
    lines: Line[];
    total: Line;
    /** Who sells: its legal name, and its tax registration where it has one. */
    seller: string;
    /** The seller's rules for what is bought here. */
    policies: { label: string; href: string }[];
  };
  computed: ComputedView;
  /** The contact for the order. */
  contact: Line[];
  soldTo: string[];
  /** "IGST 18%, supplied to Maharashtra"; null where no GST is charged. */
  tax: string | null;
  /** Links to edit the company and address. Empty where only a person can change them. */
  changes: { label: string; href: string }[];
  /** Where to have them changed. Null where the buyer can here, or where nothing can be changed any more. */
  asIs: { says: string; href: string } | null;
}

/** Everything the buyer entered, with a link to each answer that can still be edited, and the bill. */
export function Review({ rows, bill, computed, contact, soldTo, tax, changes, asIs }: ReviewSummary) {
  const text = useText();
  return (
    <>
      <section className="card">
        <h2>{text("review.yourOrder")}</h2>
        <Lines lines={rows} />
        <h2>{text("review.contact")}</h2>
        <Lines lines={contact} label={text("review.contact")} />
        <SoldTo title={text("review.soldTo")} lines={soldTo} />
        {tax !== null && <p>{tax}</p>}
        {changes.length > 0 && (
          <p className="actions">
            {changes.map(({ label, href }) => (
              <a key={label} href={href}>
                {label}
              </a>
            ))}
          </p>
        )}
        {asIs !== null && (
          <p className="hint">
            <Rich text={asIs.says} parts={{ link: (inner) => <a href={asIs.href}>{inner}</a> }} />
          </p>
        )}
      </section>
      <Bill label={text("review.bill")} lines={bill.lines} total={bill.total}>
        <div className="bill-end">
          <Computed {...computed} />
          <p>{bill.seller}</p>
          <ul>
            {bill.policies.map(({ label, href }) => (
              <li key={href}>
                <a href={href}>{label}</a>
              </li>
            ))}
          </ul>
        </div>
      </Bill>
    </>
  );
}

function SoldTo({ title, lines }: { title: string; lines: string[] }) {
  return (
    <>
      <h2>{title}</h2>
      <address>
        {lines.map((line) => (
          <span key={line}>{line}</span>
        ))}
      </address>
    </>
  );
}
