/**
 * Amounts by month: columns where there is room, otherwise a row for each month that has an amount. Each bar shows its figure, so
 * that no information depends on colour or length.
 */
import { Money } from "./money.tsx";

export interface MonthBar {
  /** "2026-11" */
  iso: string;
  /** "Nov" and "2026" */
  month: string;
  year: string;
  /** Null for a month without an amount; a column fits only the short form. */
  amount: { full: string; short: string } | null;
  /** Percentage of the largest amount. */
  share: number;
  /** Shown in amber: an action is due in this month. */
  isDue: boolean;
}

export function MonthlyChart({ label, bars }: { label: string; bars: readonly MonthBar[] }) {
  return (
    <ol className="months" aria-label={label}>
      {bars.map(({ iso, month, year, amount, share, isDue }) => (
        <li key={iso} className={isDue ? "due" : undefined} aria-hidden={amount === null || undefined}>
          <time dateTime={iso}>
            {month} <span>{year}</span>
          </time>
          <Bar share={share} short={amount?.short ?? ""} />
          {amount !== null && (
            <b>
              <Money>{amount.full}</Money>
            </b>
          )}
        </li>
      ))}
    </ol>
  );
}

/** Share of a column's height for the largest bar, which leaves room for two lines of text above it. */
const tallest = 0.68;
const lineHeight = 1.15;

/** Sized by attributes, because our policy refuses style attributes. In a row, months.css sets the height. */
function Bar({ share, short }: { share: number; short: string }) {
  const height = share * tallest;
  // "1.05" and "लाख"
  const lines = short.split(/\s/);
  return (
    <svg width="100%" aria-hidden="true">
      {share > 0 && (
        <>
          <rect width={`${share}%`} height={`${height}%`} y={`${100 - height}%`} rx="3" />
          <text x="50%" y={`${100 - height}%`} textAnchor="middle">
            {lines.map((line, index) => (
              <tspan
                key={line}
                x="50%"
                dy={`${index === 0 ? -0.4 - lineHeight * (lines.length - 1) : lineHeight}em`}
              >
                {line}
              </tspan>
            ))}
          </text>
        </>
      )}
    </svg>
  );
}
