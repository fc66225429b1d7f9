/**
 * Amounts by month: columns where there is room, else a row for each month that has an amount. Each bar has its figure beside it, so
 * that nothing is said by colour or length alone.
 */
import { Money } from "./money.tsx";

export interface MonthBar {
  /** "2026-11" */
  iso: string;
  /** "Nov" and "2026" */
  month: string;
  year: string;
  /** Null for a month without an amount; in a column only the short one fits. */
  amount: { full: string; short: string } | null;
  /** Per cent of the largest. */
  share: number;
  /** Amber: now is the time for it. */
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

/** The part of a column's height that the largest bar takes: above it there is room for two lines of its figure. */
const tallest = 0.68;
const lineHeight = 1.15;

/** Its sizes are attributes, because our policy refuses style attributes. In a row, months.css gives it the row's height. */
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
