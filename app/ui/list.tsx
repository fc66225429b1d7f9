/** The parts of the subscription, order and cart lists: tabs, a search, a table, and page links. */
import { useLocation } from "@remix-run/react";
import { Fragment, type ReactNode } from "react";
import * as paths from "#server/foundation/paths.ts";
import { useServices } from "./brand.ts";
import { Choice, type Option } from "./choice.tsx";
import { EmptyState } from "./empty-state.tsx";
import type { Illustration } from "./empty-state-illustration.tsx";
import { listServicesAt, type NavigationLocation, pathWithQuery } from "./navigation.ts";
import { useTranslate } from "./text.tsx";

/** Query parameters that filter a list. */
const narrowing = ["service", "search", "state", "kind", "year"] as const;
const notNarrowed = Object.fromEntries(narrowing.map((name) => [name, undefined]));

/** The list's filter from the URL. Neither value is ever an empty string. */
export function useFilter(): { service: string | null; search: string | null; isNarrowed: boolean } {
  const query = new URLSearchParams(useLocation().search);
  const said = (name: string) => query.get(name) || null;
  return {
    service: said("service"),
    search: said("search"),
    isNarrowed: narrowing.some((name) => said(name) !== null),
  };
}

/** A further filter of a list. */
export interface ListChoice {
  /** Query parameter. */
  name: (typeof narrowing)[number];
  label: string;
  /** Label of the option for all entries. */
  all: string;
  options: readonly Option[];
}

/**
 * Filters the page's lists by service, and by the prefix of a domain or an order's id. The tabs and the header's provider
 * selector share one state.
 * @param props.choices further filters
 * @param props.isEmpty whether the page lists nothing: then the search is shown only if it is in use
 */
export function ListTools(props: {
  searchLabel: string;
  choices?: readonly ListChoice[];
  isEmpty?: boolean;
}) {
  const { searchLabel, choices = [], isEmpty = false } = props;
  const text = useTranslate();
  const place = useLocation();
  const { service, search, isNarrowed } = useFilter();
  const query = new URLSearchParams(place.search);
  const services = useServices();
  return (
    <div className="list-tools">
      <nav aria-label={text("lists.service")}>
        <ul className="tabs">
          {listServicesAt(place, services, text("site.all")).map(({ label, href, isCurrent }) => (
            <li key={label}>
              <a href={href} aria-current={isCurrent ? "true" : undefined}>
                {label}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {(!isEmpty || isNarrowed) && (
        <search>
          <form method="get" action={place.pathname} className="search">
            {service !== null && <input type="hidden" name="service" value={service} />}
            {choices.map(({ name, label, all, options }) => (
              <Choice
                key={name}
                name={name}
                aria-label={label}
                all={all}
                options={options}
                defaultValue={query.get(name) ?? ""}
              />
            ))}
            <label className="visually-hidden" htmlFor="list-search">
              {searchLabel}
            </label>
            <input
              id="list-search"
              name="search"
              type="search"
              maxLength={100}
              placeholder={searchLabel}
              defaultValue={search ?? ""}
            />
            <button type="submit" className="quiet">
              {text("lists.find")}
            </button>
          </form>
        </search>
      )}
    </div>
  );
}

/**
 * The label; the kind of content where it affects layout: text that may wrap, actions, or amounts and counts (everything else
 * stays on one line where the table has room); and the link that sorts by the column.
 */
export type Column =
  | string
  | {
      label: string;
      holds?: "words" | "acts" | "amount" | undefined;
      sort?: { href: string; order: "ascending" | "descending" | null } | undefined;
    };

export interface ListRow {
  id: string;
  /** One per column. The first names the row. */
  cells: readonly ReactNode[];
  /** Heading of the rows from this one on, such as their month. */
  group?: ReactNode;
}

/** A table. On a phone each row becomes a card, with the column names next to its values. */
export function ListTable(props: { label: string; columns: readonly Column[]; rows: readonly ListRow[] }) {
  const { label, rows } = props;
  const columns = props.columns.map((column) =>
    typeof column === "string" ? { label: column, holds: undefined, sort: undefined } : column,
  );
  return (
    <div className="list-frame">
      <table className="list" aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ label: head, holds, sort }) => (
              <th key={head} scope="col" className={holds} aria-sort={sort?.order ?? undefined}>
                {sort === undefined ? head : <a href={sort.href}>{head}</a>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, cells: [name, ...values], group }) => (
            <Fragment key={id}>
              {group !== undefined && (
                <tr className="group">
                  <th scope="rowgroup" colSpan={columns.length}>
                    {group}
                  </th>
                </tr>
              )}
              <tr>
                <th scope="row" className={columns[0]?.holds}>
                  {name}
                </th>
                {columns.slice(1).map((column, index) => (
                  <td key={column.label} data-column={column.label} className={column.holds}>
                    {values[index]}
                  </td>
                ))}
              </tr>
            </Fragment>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The other actions of a row, behind its "⋯". @param props.what announced with it */
export function RowMenu({ what, children }: { what: string; children: ReactNode }) {
  const label = useTranslate()("lists.moreFor", { what });
  return (
    <details className="menu row-menu" name="row-menu">
      <summary aria-label={label} title={label}>
        <span aria-hidden="true">⋯</span>
      </summary>
      <div>
        <ul>{children}</ul>
      </div>
    </details>
  );
}

/** Shows a number of licences, and how many of them are in use, where that is known. */
export function Licences({ quantity, inUse }: { quantity: number; inUse: string | null }) {
  return (
    <span>
      {quantity}
      {inUse !== null && <span className="hint">{inUse}</span>}
    </span>
  );
}

/**
 * An empty list: the reason, and one link: back from a filter without matches, or to the page where the buyer can get something.
 * @param hint what would be listed
 */
export function EmptyList(props: {
  message: string;
  hint: string;
  drawing: Illustration;
  /** False for a viewer, who cannot buy. */
  mayBuy: boolean;
}) {
  const { message, hint, drawing, mayBuy } = props;
  const text = useTranslate();
  const place = useLocation();
  const { search, isNarrowed } = useFilter();
  if (!isNarrowed) {
    return (
      <EmptyState message={message} drawing={drawing}>
        <p className="hint">{hint}</p>
        {mayBuy && (
          <p>
            <a className="button" href={paths.home()}>
              {text("lists.explore")}
            </a>
          </p>
        )}
      </EmptyState>
    );
  }
  return (
    <EmptyState message={message}>
      {search !== null && <p className="hint">{text("lists.nothingBegins", { search })}</p>}
      <p>
        <a className="button quiet" href={pathWithQuery(place, notNarrowed)}>
          {text("lists.showAll")}
        </a>
      </p>
    </EmptyState>
  );
}

/**
 * Links to the next page and back to the first. Renders nothing for a list of one page.
 * @param isNewestFirst false for a list that begins with the earliest end
 */
export function ListPages(props: {
  label: string;
  next: string | null;
  pageName?: "page" | "ended";
  isNewestFirst?: boolean;
}) {
  const { label, next, pageName = "page", isNewestFirst = true } = props;
  const text = useTranslate();
  const place: NavigationLocation = useLocation();
  const isFirst = !new URLSearchParams(place.search).has(pageName);
  if (next === null && isFirst) return null;
  return (
    <nav aria-label={label} className="actions">
      {!isFirst && (
        <a href={pathWithQuery(place, { [pageName]: undefined })}>
          {text(isNewestFirst ? "lists.newest" : "lists.first")}
        </a>
      )}
      {next !== null && (
        <a rel="next" href={pathWithQuery(place, { [pageName]: next })}>
          {text(isNewestFirst ? "lists.older" : "lists.next")}
        </a>
      )}
    </nav>
  );
}
