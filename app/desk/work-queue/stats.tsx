/** Statistics of a day, month or year, at the end of Desk's first page. */
import { Money } from "../../ui/money.tsx";

export interface StoreStatsView {
  unit: string;
  units: readonly { value: string; label: string }[];
  /** A date in the period: "2026-11-25". */
  on: string;
  /** "25th November 2026", "November 2026", "2026". */
  title: string;
  tiles: readonly { name: string; values: readonly string[]; isMoney: boolean; note: string | null }[];
}

/** @param props.kind filter of the list below, kept when the period changes */
export function StoreStatsPanel({ figures, kind }: { figures: StoreStatsView; kind: string | null }) {
  const { unit, units, on, title, tiles } = figures;
  return (
    <section aria-labelledby="figures" className="figures">
      <h2 id="figures">Figures of {title}</h2>
      <form method="get" className="filters">
        {kind !== null && <input type="hidden" name="kind" value={kind} />}
        <div className="field choice-of-list">
          <label htmlFor="unit">Show figures for</label>
          <select id="unit" name="unit" defaultValue={unit}>
            {units.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </div>
        <div className="field choice-of-list">
          <label htmlFor="on">on</label>
          <input id="on" name="on" type="date" defaultValue={on} required />
        </div>
        <button type="submit" className="quiet">
          Show
        </button>
      </form>
      <dl>
        {tiles.map(({ name, values, isMoney, note }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {values.map((value) => (
                <b key={value}>{isMoney ? <Money>{value}</Money> : value}</b>
              ))}
              {note !== null && <small>{note}</small>}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
