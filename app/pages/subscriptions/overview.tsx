/** The overview above the first page of My Subscriptions. */
import * as paths from "#server/foundation/paths.ts";
import { Breakable } from "../../ui/breakable.tsx";
import { Callout } from "../../ui/callout.tsx";
import { Money } from "../../ui/money.tsx";
import { MonthlyChart } from "../../ui/monthly-chart.tsx";
import { Rich, useTranslate } from "../../ui/text.tsx";
import type { ChartView, DueView } from "./overview-data.ts";

/** The subscription that ends next, with its action. */
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

/** Charts of the twelve months ahead and behind, in one strip: the sum of each, and its bars if there are enough. */
export function Overview({ charts }: { charts: readonly ChartView[] }) {
  const text = useTranslate();
  return (
    <section className="strip" aria-label={text("subscriptions.overview")}>
      {charts.map(({ title, sums, note }) => (
        <div key={title}>
          {sums.map(({ total, bars }, index) => (
            <div key={total} className="strip-sum">
              <div>
                {index === 0 && <h2>{title}</h2>}
                <p className="hint">
                  <Rich text={total} parts={{ total: (amount) => <Money>{amount}</Money> }} />
                </p>
              </div>
              {bars.length > 0 && <MonthlyChart label={title} bars={bars} />}
            </div>
          ))}
          {note !== null && <p className="hint">{note}</p>}
        </div>
      ))}
      <p>
        <a href={paths.renewals()}>{text("renewals.seeYear")}</a>
      </p>
    </section>
  );
}
