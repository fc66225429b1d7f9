/** The bill: what is bought, its lines, tax and rounding, and the total, in the same order and the same look on every page. */
import type { ReactNode } from "react";

export interface PriceSummaryLine {
  readonly label: string;
  readonly value: string;
  /** True of a share of the line above it, which the total does not count again. */
  readonly isPart?: true;
}

export interface PriceSummaryProps {
  /** Names the bill for screen readers, as a landmark of its page. Left out of a short one beside another. */
  label?: string;
  /** What is bought, above the lines. */
  top?: ReactNode;
  lines: readonly PriceSummaryLine[];
  /** `before` is the sum that it replaces while the page is open; null for none. */
  total: PriceSummaryLine & { readonly before?: string | null };
  /** What else is good to know, below the total: a paragraph with class bill-end, or a list. */
  children?: ReactNode;
}

/** Each value has a `data-bill` with its place, "0" and on, or "total", by which a script may write a new one. */
export function PriceSummary({ label, top, lines, total, children }: PriceSummaryProps) {
  return (
    <section className="bill" aria-label={label}>
      {top !== undefined && <div className="bill-top">{top}</div>}
      <dl>
        {lines.map((line, index) => (
          <div key={line.label} className={line.isPart && "part"}>
            <dt data-bill-label={index}>{line.label}</dt>
            <dd data-bill={index}>{line.value}</dd>
          </div>
        ))}
        <div className="total">
          <dt>{total.label}</dt>
          <dd data-bill="total">
            {total.before != null && total.before !== total.value && <s>{total.before}</s>}
            <span>{total.value}</span>
          </dd>
        </div>
      </dl>
      {children}
    </section>
  );
}
