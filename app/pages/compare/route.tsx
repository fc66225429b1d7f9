/** `/compare`: the plans of a family in one country's prices, side by side; two of them on a phone. */
import { useLoaderData, useLocation } from "@remix-run/react";
import { z } from "zod";
import { pageLoader } from "../../http/page.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import type { Handle } from "../../ui/handle.ts";
import { indexedPage } from "../../ui/indexed-page.ts";
import { pathWithQuery } from "../../ui/navigation.ts";
import { Rich, useTranslate } from "../../ui/text.tsx";
import { SegmentedLinks } from "../home/segmented-links.tsx";
import { type Comparison, comparisonOf } from "./comparison.ts";
import { PlanTable } from "./table.tsx";

export const loader = pageLoader(z.unknown(), comparisonOf);

export const handle: Handle = { pageStyles: true, publiclyCacheable: true };

export const meta = indexedPage<{ title: string; description: string; path: string }>(
  ({ title, description, path }) => ({ title, description, path }),
);

export default function Compare() {
  const data = useLoaderData<typeof loader>();
  const text = useTranslate();
  const here = useLocation();
  // Plans of one family do not exist in another.
  const toService = (service: string) =>
    pathWithQuery(here, { service, plan: undefined, with: undefined, fits: undefined });
  return (
    <div className="page">
      <h1>{data.title}</h1>
      {data.help !== null && (
        <p className="lead">
          <Help href={data.help} />
        </p>
      )}
      {data.closed !== null && <p className="notice info">{data.closed}</p>}
      {data.looksOnly !== null && <p className="notice info">{data.looksOnly}</p>}
      <div className="switches">
        <SegmentedLinks
          label={text("compare.services")}
          current={data.service}
          options={data.services.map((one) => ({ ...one, href: toService(one.value) }))}
        />
        <SegmentedLinks
          label={text("compare.countries")}
          current={data.country}
          options={data.markets.map((one) => ({ ...one, href: pathWithQuery(here, { country: one.value }) }))}
        />
        <p className="hint">{data.prices}</p>
      </div>
      {data.plans.length === 0 ? (
        <EmptyState
          message={
            <Rich
              text={text("compare.noPlans")}
              parts={{ link: (words) => <a href={data.all}>{words}</a> }}
            />
          }
        />
      ) : (
        <>
          {data.plans.length > 2 && <Two data={data} />}
          <PlanTable plans={data.plans} groups={data.groups} />
        </>
      )}
    </div>
  );
}

function Help({ href }: { href: string }) {
  const text = useTranslate();
  return <Rich text={text("compare.help")} parts={{ link: (words) => <a href={href}>{words}</a> }} />;
}

/** Chooses the two plans that fit on a phone. A wide screen shows all plans and hides this. */
function Two({
  data,
}: {
  data: Pick<Comparison, "service" | "country" | "isCustomer" | "plans" | "first" | "second">;
}) {
  const text = useTranslate();
  const select = (name: "plan" | "with", label: string, chosen: string | null) => (
    <div className="field">
      <label htmlFor={`compare-${name}`}>{label}</label>
      <select id={`compare-${name}`} name={name} defaultValue={chosen ?? undefined}>
        {data.plans.map((plan) => (
          <option key={plan.id} value={plan.id}>
            {plan.name}
          </option>
        ))}
      </select>
    </div>
  );
  return (
    <form method="get" className="card two">
      <input type="hidden" name="service" value={data.service} />
      <input type="hidden" name="country" value={data.country} />
      {data.isCustomer && <input type="hidden" name="TUP" value="true" />}
      <div className="row">
        {select("plan", text("compare.first"), data.first)}
        {select("with", text("compare.second"), data.second)}
      </div>
      <button type="submit" className="quiet full">
        {text("compare.show")}
      </button>
    </form>
  );
}
