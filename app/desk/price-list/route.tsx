/**
 * `/desk/prices/{list}`: the changes in a price list and the buyers they affect, before it is applied; afterwards, its result.
 */
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { parsePriceListId } from "#db/ids.ts";
import type { ActionId } from "#server/desk/actions/action-ids.ts";
import { possibleActs } from "#server/desk/actions/registry.ts";
import { diffOf } from "#server/desk/price-lists/diff.ts";
import { isLineVerdict, priceListStatusLabels, priceListStatusOf } from "#server/desk/price-lists/labels.ts";
import { getListedPriceList } from "#server/desk/price-lists/lists.ts";
import { countsOf, headingOf, priceListView } from "#server/desk/price-lists/view.ts";
import { notFound } from "#server/foundation/errors.ts";
import * as paths from "#server/foundation/paths.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { noindexMeta } from "../../ui/head.ts";
import { ListTable } from "../../ui/list.tsx";
import { Money } from "../../ui/money.tsx";
import { ActionLinks } from "../action-links.tsx";
import { deskHandle } from "../handle.ts";
import { ListPaging } from "../list-paging.tsx";
import { deskLoader } from "../route-builders.ts";
import { timeView } from "../view.ts";

export const handle = deskHandle;
export const meta = noindexMeta<{ title: string }>((data) => data?.title ?? "");

/** Button styles: filled for applying the list, danger for discarding it. */
const looks: Partial<Record<ActionId, "filled" | "danger">> = {
  "price-list.apply": "filled",
  "price-list.discard": "danger",
};

const params = z.object({ list: z.string().max(10) });
const linesAtOnce = 100;

export const loader = deskLoader("priceList", params, async ({ context, desk, url }, given) => {
  const id = parsePriceListId(given.list);
  if (id === null) throw notFound();
  const list = await getListedPriceList(context.db, id);
  const now = new Date();
  const requested = url.searchParams.get("show") ?? "";
  const show = isLineVerdict(requested) ? requested : null;
  const after = Number(url.searchParams.get("after")) || 0;
  const diff = await diffOf(context, list, now);
  const { facts, lines } = priceListView(diff, show);
  const rest = lines.filter(({ line }) => line > after);
  const shown = rest.slice(0, linesAtOnce);
  const last = rest.length > linesAtOnce ? shown.at(-1) : undefined;
  const kept = show === null ? {} : { show };
  return {
    title: `Price list ${id}`,
    heading: headingOf(list),
    state: priceListStatusLabels[priceListStatusOf(list, now)],
    imported: { by: list.importedBy, at: timeView(list.importedAt) },
    decided: list.state === "waiting" ? null : { by: list.stateBy, at: timeView(list.stateAt) },
    facts,
    acts: (await possibleActs(context, desk.staff.role, "price list", String(id))).map(
      ({ id: act, label }) => ({ label, href: paths.deskActionForm(act, String(id)), look: looks[act] }),
    ),
    kinds: [
      { label: "To review", href: paths.deskPriceList(id), isCurrent: show === null },
      ...countsOf(diff).map(({ verdict, label }) => ({
        label,
        href: paths.deskPriceList(id, { show: verdict }),
        isCurrent: show === verdict,
      })),
    ],
    lines: shown.map(({ itemId, ...line }) => ({
      ...line,
      history: itemId === null ? null : paths.deskPriceHistory(itemId),
    })),
    first: after === 0 ? null : paths.deskPriceList(id, kept),
    next: last === undefined ? null : paths.deskPriceList(id, { ...kept, after: String(last.line) }),
  };
});

export default function PriceList() {
  const data = useLoaderData<typeof loader>();
  const { title, heading, state, imported, decided, facts, acts, kinds, lines, first, next } = data;
  return (
    <div className="page">
      <h1>{title}</h1>
      <p>
        {heading}: <strong>{state}</strong>
      </p>
      <p className="hint">
        Imported by {imported.by} on <time dateTime={imported.at.iso}>{imported.at.text}</time>.
        {decided !== null && (
          <>
            {" "}
            Decided by {decided.by} on <time dateTime={decided.at.iso}>{decided.at.text}</time>.
          </>
        )}
      </p>
      <ul aria-label="Summary">
        {facts.map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
      </ul>
      <ActionLinks acts={acts} />
      <nav aria-label="Line types">
        <ul className="tabs">
          {kinds.map(({ label, href, isCurrent }) => (
            <li key={href}>
              <a href={href} aria-current={isCurrent ? "true" : undefined}>
                {label}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {lines.length === 0 ? (
        <EmptyState message="No lines of this type." />
      ) : (
        <ListTable
          label="Lines"
          columns={[
            "Line",
            { label: "Item", holds: "words" },
            "Result",
            { label: "Old", holds: "amount" },
            { label: "New", holds: "amount" },
            { label: "Cost", holds: "amount" },
            { label: "Margin", holds: "amount" },
            "From",
            { label: "Affects", holds: "words" },
          ]}
          rows={lines.map((line) => ({
            id: String(line.line),
            cells: [
              line.line,
              <span key="item" className="stacked">
                {line.history === null ? line.item : <a href={line.history}>{line.item}</a>}
                <small>{line.price}</small>
              </span>,
              line.isLeftOut ? <strong key="verdict">{line.verdict}</strong> : line.verdict,
              <Money key="before">{line.before}</Money>,
              <span key="after" className="stacked">
                <Money>{line.after}</Money>
                {line.change !== null && <small>{line.change}</small>}
                {line.listPrice !== null && <small>list price {line.listPrice}</small>}
              </span>,
              line.cost ?? "unknown",
              line.margin ?? "unknown",
              line.from,
              <span key="touched" className="stacked">
                {line.touched.length === 0
                  ? "nobody"
                  : line.touched.map((sentence) => <small key={sentence}>{sentence}</small>)}
              </span>,
            ],
          }))}
        />
      )}
      <ListPaging first={first} next={next} />
    </div>
  );
}
