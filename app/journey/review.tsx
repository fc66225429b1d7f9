/** The review summary: what is bought, for whom, and every line of the total. One for all journeys. */
export interface ReviewSummary {
  rows: { label: string; value: string }[];
  totals: { label: string; value: string; strong?: boolean }[];
  soldTo: string[];
}

export function Review({ rows, totals, soldTo }: ReviewSummary) {
  return (
    <>
      <dl className="review">
        {rows.map(({ label, value }) => (
          <div key={`${label} ${value}`}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <dl className="review totals">
        {totals.map(({ label, value, strong }) => (
          <div key={label} className={strong ? "strong" : undefined}>
            <dt>{label}</dt>
            <dd className="money">{value}</dd>
          </div>
        ))}
      </dl>
      <h2>Sold to</h2>
      <address>
        {soldTo.map((line) => (
          <span key={line}>{line}</span>
        ))}
      </address>
    </>
  );
}
