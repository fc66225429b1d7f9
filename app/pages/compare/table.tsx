/** Plans side by side. A phone shows two of them, below the name of each row. */
import { Fragment } from "react";
import { Icon } from "../../ui/icons.tsx";
import { Rich, useTranslate } from "../../ui/text.tsx";
import type { RowGroup } from "./rows.ts";

interface Column {
  id: string;
  name: string;
  /** Buy Now's link, or null for a visitor who cannot buy. */
  buy: string | null;
  /** Whether it is one of the two plans on a phone. */
  isShown: boolean;
  /** Whether it is the recommended plan. */
  fits: boolean;
}

const classOf = ({ isShown, fits }: Column) =>
  [isShown ? "shown" : "", fits ? "fits" : ""].filter((name) => name !== "").join(" ") || undefined;

export function PlanTable({ plans, groups }: { plans: readonly Column[]; groups: readonly RowGroup[] }) {
  const text = useTranslate();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must scroll by keyboard as well
    <section className="card compare" aria-label={text("compare.table")} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">
              <span className="visually-hidden">{text("compare.plan")}</span>
            </th>
            {plans.map((plan) => (
              <th key={plan.id} scope="col" className={classOf(plan)}>
                {plan.fits && <span className="badge">{text("compare.fitsYou")}</span>}
                <strong>{plan.name}</strong>
                {plan.buy !== null && (
                  <a className={plan.fits ? "button" : "button quiet"} href={plan.buy}>
                    <Rich
                      text={text("compare.buy", { plan: plan.name })}
                      parts={{ hidden: (words) => <span className="visually-hidden">{words}</span> }}
                    />
                  </a>
                )}
              </th>
            ))}
          </tr>
        </thead>
        {groups.map(({ title, rows }) => (
          <tbody key={title}>
            {rows.length > 1 && (
              <tr className="group">
                <th scope="rowgroup" colSpan={plans.length + 1}>
                  {title}
                </th>
              </tr>
            )}
            {rows.map((row) => (
              <tr key={row.title}>
                <th scope="row">{row.title}</th>
                {plans.map((plan, column) => (
                  <td key={plan.id} className={classOf(plan)}>
                    <Lines of={row.cells[column] ?? []} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </section>
  );
}

function Lines({ of }: { of: readonly string[] }) {
  const text = useTranslate();
  const [first, ...others] = of;
  if (first === undefined) {
    return (
      <>
        <span aria-hidden="true">–</span>
        <span className="visually-hidden">{text("compare.none")}</span>
      </>
    );
  }
  if (others.length === 0 && first === text("compare.included")) {
    return (
      <>
        <Icon name="tick" size={20} />
        <span className="visually-hidden">{first}</span>
      </>
    );
  }
  if (others.length === 0) return <Fragment>{first}</Fragment>;
  return (
    <ul>
      {of.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}
