/** An order's summary: the items, every line of the total, and the buyer. Used by every journey's review and for past orders. */
import { PriceSummary, type PriceSummaryLine } from "../ui/price-summary.tsx";
import { SummaryList, type SummaryRow, Totals } from "../ui/summary-list.tsx";
import { Rich, useTranslate } from "../ui/text.tsx";

export interface OrderSummary {
  rows: SummaryRow[];
  totals: SummaryRow[];
  soldTo: string[];
}

export function Summary({ rows, totals, soldTo }: OrderSummary) {
  return (
    <>
      <SummaryList lines={rows} />
      <Totals lines={totals} />
      <SoldTo title={useTranslate()("review.soldTo")} lines={soldTo} />
    </>
  );
}

/** Explanation of a total, in texts from the loader, because no page ships them. */
export interface PriceBreakdownView {
  title: string;
  sentences: string[];
}

export function PriceBreakdown({ title, sentences }: PriceBreakdownView) {
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
  rows: SummaryRow[];
  bill: {
    product: string;
    quantity: string;
    lines: PriceSummaryLine[];
    total: PriceSummaryLine;
    /** The seller: its legal name, and its tax registration where it has one. */
    seller: string;
  };
  computed: PriceBreakdownView;
  /** The contact for the order. */
  contact: SummaryRow[];
  soldTo: string[];
  /** "IGST 18%, supplied to Maharashtra"; null where no GST is charged. */
  tax: string | null;
  /** Links to edit the company and address. Empty where only a person can change them. */
  changes: { label: string; href: string }[];
  /** Link for requesting a change. Null where the buyer can make it here, or where changes are no longer possible. */
  asIs: { says: string; href: string } | null;
}

/** Everything the buyer entered, with a link to each answer that can still be edited, and the bill. */
export function Review({
  rows,
  contact,
  soldTo,
  tax,
  changes,
  asIs,
}: Omit<ReviewSummary, "bill" | "computed">) {
  const text = useTranslate();
  return (
    <section className="card">
      <h2>{text("review.yourOrder")}</h2>
      <SummaryList lines={rows} />
      <h2>{text("review.contact")}</h2>
      <SummaryList lines={contact} label={text("review.contact")} />
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
  );
}

/** The plan, each line of its price, and the total. */
export function ReviewBill({ bill }: Pick<ReviewSummary, "bill">) {
  const text = useTranslate();
  return (
    <PriceSummary
      label={text("review.bill")}
      top={
        <p>
          <span>{bill.product}</span>
          <strong className="line">{bill.quantity}</strong>
        </p>
      }
      lines={bill.lines}
      total={bill.total}
    />
  );
}

/** Explains how the total was computed, and who sells, below the buttons. The seller's rules are in the page's footer. */
export function BillNotes({ bill, computed }: Pick<ReviewSummary, "bill" | "computed">) {
  return (
    <div className="bill-end">
      <PriceBreakdown {...computed} />
      <p>{bill.seller}</p>
    </div>
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
