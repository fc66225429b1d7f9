/** The price calculator next to the introduction. enhance/price-calculator.ts updates the bill as soon as an answer changes. */
import { useLocation } from "@remix-run/react";
import { PriceSummary } from "../../ui/price-summary.tsx";
import { Stepper } from "../../ui/stepper.tsx";
import { useTranslate } from "../../ui/text.tsx";
import type { PriceEstimate } from "./price-estimate.ts";

/** Query parameters besides the calculator's answers, which its form keeps. */
const kept = ["service", "country", "TUP"];

export function Calculator({ cost }: { cost: PriceEstimate }) {
  const text = useTranslate();
  const { pathname, search } = useLocation();
  const query = new URLSearchParams(search);
  const { plans, plan, people, maxPeople, terms, term, problem, bill } = cost;
  const form = (
    <form method="get" action={`${pathname}#cost`} noValidate data-cost>
      <h2>{text("home.cost")}</h2>
      {kept.flatMap((name) => {
        const value = query.get(name);
        return value === null ? [] : [<input key={name} type="hidden" name={name} value={value} />];
      })}
      <p className="field">
        <label htmlFor="plan">{text("home.plan")}</label>
        <select id="plan" name="plan" defaultValue={plan} lang="en">
          {plans.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </p>
      <div className="answers">
        <p className="field">
          <label htmlFor="people">{text("home.people")}</label>
          <Stepper less={text("home.fewer")} more={text("home.more")}>
            <input
              id="people"
              name="people"
              type="text"
              min={1}
              max={maxPeople ?? undefined}
              inputMode="numeric"
              autoComplete="off"
              data-digits
              data-fallback=""
              defaultValue={people}
              aria-invalid={problem !== null || undefined}
              aria-describedby={problem === null ? undefined : "people-problem"}
            />
          </Stepper>
        </p>
        <p className="field">
          <label htmlFor="term">{text("home.term")}</label>
          <select id="term" name="term" defaultValue={term}>
            {terms.map(({ term, name }) => (
              <option key={term} value={term}>
                {name}
              </option>
            ))}
          </select>
        </p>
      </div>
      <button type="submit" className="quiet full without-scripts">
        {text("home.update")}
      </button>
    </form>
  );
  return (
    <div id="cost">
      {bill === null ? (
        <section className="bill" aria-label={text("home.cost")}>
          <div className="bill-top">{form}</div>
          <p className="bill-end error" id="people-problem" role="alert">
            {problem}
          </p>
        </section>
      ) : (
        <PriceSummary label={text("home.cost")} top={form} lines={bill.lines} total={bill.total}>
          {bill.buy !== null && (
            <p className="bill-end">
              <a className="button tall full" href={bill.buy}>
                {text("catalogue.buyNow")}
                <span className="visually-hidden" lang="en">
                  : {bill.name}
                </span>
              </a>
            </p>
          )}
        </PriceSummary>
      )}
    </div>
  );
}
