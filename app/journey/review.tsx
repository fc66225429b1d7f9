/** The review summary: what is bought, for whom, and every line of the total. One for all journeys. */
import { type Line, Lines, Totals } from "../ui/lines.tsx";

export interface ReviewSummary {
  rows: Line[];
  totals: Line[];
  soldTo: string[];
}

export function Review({ rows, totals, soldTo }: ReviewSummary) {
  return (
    <>
      <Lines lines={rows} />
      <Totals lines={totals} />
      <h2>Sold to</h2>
      <address>
        {soldTo.map((line) => (
          <span key={line}>{line}</span>
        ))}
      </address>
    </>
  );
}
