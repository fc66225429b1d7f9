/** What stands above the first page of My Subscriptions. */
import { Breakable } from "../../ui/breakable.tsx";
import { Callout } from "../../ui/callout.tsx";
import { Money } from "../../ui/money.tsx";
import { MonthlyChart } from "../../ui/monthly-chart.tsx";
import { Rich, useTranslate } from "../../ui/text.tsx";
import type { ChartView, DueView } from "./overview-data.ts";

/** What ends first, and the one thing to do about it. */
export function DueCard({ title, about, includes, renew, others }: DueView) {
  return (
    <Callout type="due">
      <div className="due-notice">
        <div>
          <p>
            <strong>{title}</strong>
          </p>
          <p>
            <Rich text={about} parts={{ domain: (inner) => <Breakable>{inner}</Breakable> }} /> {includes}
          </p>
          {others !== null && <p>{others}</p>}
        </div>
        {renew !== null && (
          <a className="button" href={renew.href}>
            {renew.text}
          </a>
        )}
      </div>
    </Callout>
  );
}

export function Charts({ charts }: { charts: readonly ChartView[] }) {
  const text = useTranslate();
  return (
    <section className="charts" aria-label={text("subscriptions.overview")}>
      {charts.map(({ title, sums, note }) => (
        <div key={title} className="card chart">
          {sums.map(({ total, bars }, index) => (
            <div key={total}>
              <div className="card-head">
                {index === 0 && <h2>{title}</h2>}
                <p className="hint">
                  <Rich text={total} parts={{ total: (amount) => <Money>{amount}</Money> }} />
                </p>
              </div>
              <MonthlyChart label={title} bars={bars} />
            </div>
          ))}
          {note !== null && <p className="hint">{note}</p>}
        </div>
      ))}
    </section>
  );
}
