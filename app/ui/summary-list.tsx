/** Lines of a label and its value: an order's summary, and how its total is made up. */

import { Breakable } from "./breakable.tsx";
import { Money } from "./money.tsx";
import { Rich, useTranslate } from "./text.tsx";

export interface SummaryRow {
  label: string;
  value: string;
  /** Set for the sum of the other lines. */
  strong?: boolean;
  /** The link to edit the value, while it can be edited. */
  change?: string;
}

export function SummaryList({ lines, label }: { lines: readonly SummaryRow[]; label?: string }) {
  const text = useTranslate();
  return (
    <dl className="lines" aria-label={label}>
      {lines.map(({ label, value, change }) => (
        <div key={`${label} ${value}`}>
          <dt>{label}</dt>
          <dd>
            <Breakable>{value}</Breakable>
          </dd>
          {change !== undefined && (
            <dd className="change">
              <a href={change}>
                <Rich
                  text={text("review.change", { what: label })}
                  parts={{ hidden: (inner) => <span className="visually-hidden">{inner}</span> }}
                />
              </a>
            </dd>
          )}
        </div>
      ))}
    </dl>
  );
}

/** Amounts, aligned in a column. */
export function Totals({ lines, label }: { lines: readonly SummaryRow[]; label?: string }) {
  return (
    <dl className="lines totals" aria-label={label}>
      {lines.map((line) => (
        <div key={`${line.label} ${line.value}`} className={line.strong ? "strong" : undefined}>
          <dt>{line.label}</dt>
          <dd>
            <Money>{line.value}</Money>
          </dd>
        </div>
      ))}
    </dl>
  );
}
