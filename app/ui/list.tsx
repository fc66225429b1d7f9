/** The parts of the subscription, order and cart lists: tabs, a search, a table, and page links. */
import { useLocation } from "@remix-run/react";
import type { ReactNode } from "react";
import * as paths from "#server/paths.ts";
import { useServices } from "./brand.ts";
import { EmptyState } from "./empty-state.tsx";
import type { Illustration } from "./empty-state-illustration.tsx";
import { Money } from "./money.tsx";
import { listServicesAt, type NavigationLocation, navigationAt, pathWithQuery } from "./navigation.ts";
import { Rich, useTranslate } from "./text.tsx";

/** What a list is narrowed by, from its address. Neither is ever an empty text. */
export function useFilter(): { service: string | null; search: string | null } {
  const query = new URLSearchParams(useLocation().search);
  return { service: query.get("service") || null, search: query.get("search") || null };
}

/**
 * Filters the page's lists by service, and by the prefix of a domain or an order's id. The tabs replace the header's provider
 * selector where that has no room.
 * @param props.isEmpty whether the page lists nothing: then there is nothing to search, unless it was searched
 * @param props.withTabs true on a page that has tabs beside the header's selector (docs/specification.md, section 2.7)
 */
export function ListTools(props: { searchLabel: string; isEmpty?: boolean; withTabs?: boolean }) {
  const { searchLabel, isEmpty = false, withTabs = false } = props;
  const text = useTranslate();
  const place = useLocation();
  const { service, search } = useFilter();
  const services = useServices();
  const isInHeader = navigationAt(place.pathname).providerSelector === "list";
  return (
    <div className="list-tools">
      <nav aria-label={text("lists.service")} className={isInHeader && !withTabs ? "on-narrow" : undefined}>
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
      {(!isEmpty || search !== null) && (
        <search>
          <form method="get" action={place.pathname} className="search">
            {service !== null && <input type="hidden" name="service" value={service} />}
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
 * Its label; and what its cells hold where that decides their layout: words, which may wrap, what can be done, or sums and counts. All
 * else stays on one line where the table has room.
 */
export type Column = string | { label: string; holds: "words" | "acts" | "amount" };

export interface ListRow {
  id: string;
  /** One per column. The first names the row. */
  cells: readonly ReactNode[];
}

/** A table. On a phone each row becomes a card with the column names beside its values. */
export function ListTable(props: { label: string; columns: readonly Column[]; rows: readonly ListRow[] }) {
  const { label, rows } = props;
  const columns = props.columns.map((column) =>
    typeof column === "string" ? { label: column, holds: undefined } : column,
  );
  return (
    <div className="list-frame">
      <table className="list" aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.label} scope="col" className={column.holds}>
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, cells: [name, ...values] }) => (
            <tr key={id}>
              <th scope="row" className={columns[0]?.holds}>
                {name}
              </th>
              {columns.slice(1).map((column, index) => (
                <td key={column.label} data-column={column.label} className={column.holds}>
                  {values[index]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** How many, what they cost, with the sum in `<amount>`, and how many of them are in use, where that is known. */
export function LicencesAtPrice(props: { quantity: number; price: string | null; inUse?: string | null }) {
  const { quantity, price, inUse = null } = props;
  return (
    <div className="at-price">
      <span>{quantity}</span>
      {price !== null && (
        <span className="hint">
          <Rich text={price} parts={{ amount: (inner) => <Money>{inner}</Money> }} />
        </span>
      )}
      {inUse !== null && <span className="hint">{inUse}</span>}
    </div>
  );
}

/**
 * A list with nothing in it: why, and one way on: back from a filter that nothing passes, or to where the buyer can get something.
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
  const { service, search } = useFilter();
  if (service === null && search === null) {
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
        <a className="button quiet" href={pathWithQuery(place, { search: undefined, service: undefined })}>
          {text("lists.showAll")}
        </a>
      </p>
    </EmptyState>
  );
}

/** Links to the next page and back to the first. Nothing for a list of one page. @param isNewestFirst else what ends first */
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
