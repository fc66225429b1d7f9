/** The bill: items, lines, tax and rounding, and the total, in the same order and style on every page. */
import type { ReactNode } from "react";

export interface PriceSummaryLine {
  readonly label: string;
  readonly value: string;
  /** True for a share of the line above it, which the total does not count again. */
  readonly isPart?: true;
}

export interface PriceSummaryProps {
  /** Name of the bill for screen readers, as a landmark of its page. Left out for a short one next to another. */
  label?: string;
  /** The items, above the lines. */
  top?: ReactNode;
  lines: readonly PriceSummaryLine[];
  /** `before` is the total that this one replaces while the page is open; null for none. */
  total: PriceSummaryLine & { readonly before?: string | null };
  /** Notes below the total: a paragraph with class bill-end, or a list. */
  children?: ReactNode;
}

/** Each value has a `data-bill` attribute with its position ("0" and up) or "total", through which a script updates it. */
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
