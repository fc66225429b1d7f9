/** The parts of the subscription, order and cart lists: tabs, a search, a table, and page links. */
import { useLocation } from "@remix-run/react";
import type { ReactNode } from "react";
import * as paths from "#server/paths.ts";
import { useServices } from "./brand.ts";
import { Empty } from "./empty.tsx";
import { listServicesAt, type Place, placeWith } from "./navigation.ts";
import { useText } from "./text.tsx";

/**
 * Filters the page's lists by service, and by the prefix of a domain or an order's id. The tabs replace the header's provider
 * selector where that has no room: list.css shows one of the two.
 */
export function ListTools({ searchLabel }: { searchLabel: string }) {
  const text = useText();
  const place = useLocation();
  const query = new URLSearchParams(place.search);
  const service = query.get("service");
  const services = useServices();
  return (
    <div className="list-tools">
      <nav aria-label="Service">
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
            defaultValue={query.get("search") ?? ""}
          />
          <button type="submit" className="quiet">
            Find
          </button>
        </form>
      </search>
    </div>
  );
}

export interface ListRow {
  id: string;
  /** One per column. The first names the row. */
  cells: readonly ReactNode[];
}

/** A table. On a phone each row becomes a card with the column names beside its values. */
export function ListTable(props: { label: string; columns: readonly string[]; rows: readonly ListRow[] }) {
  const { label, columns, rows } = props;
  return (
    <div className="list-frame">
      <table className="list" aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, cells: [name, ...values] }) => (
            <tr key={id}>
              <th scope="row">{name}</th>
              {values.map((value, index) => (
                <td key={columns[index + 1]} data-column={columns[index + 1]}>
                  {value}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The link from a list that is filled by buying. */
export const exploreServices = { text: "Explore Services", href: paths.home() };

/** An empty list with a link: away from a search without results, or to where the buyer can get something. */
export function EmptyList({
  wayOn,
  children,
}: {
  wayOn?: { text: string; href: string };
  children: ReactNode;
}) {
  const place = useLocation();
  const search = new URLSearchParams(place.search).get("search");
  return (
    <Empty message={children}>
      {search !== null && search !== "" ? (
        <p>
          Nothing here begins with “{search}”. <a href={placeWith(place, { search: undefined })}>Show all</a>
        </p>
      ) : (
        wayOn !== undefined && (
          <p>
            <a className="button" href={wayOn.href}>
              {wayOn.text}
            </a>
          </p>
        )
      )}
    </Empty>
  );
}

/** Links to the next page and back to the first. Nothing for a list of one page. */
export function ListPages(props: {
  label: string;
  next: string | null;
  pageName?: "page" | "ended";
  words?: { next: string; first: string };
}) {
  const { label, next, pageName = "page", words = { next: "Older", first: "Newest" } } = props;
  const place: Place = useLocation();
  const isFirst = !new URLSearchParams(place.search).has(pageName);
  if (next === null && isFirst) return null;
  return (
    <nav aria-label={`Pages of ${label}`} className="actions">
      {!isFirst && <a href={placeWith(place, { [pageName]: undefined })}>{words.first}</a>}
      {next !== null && (
        <a rel="next" href={placeWith(place, { [pageName]: next })}>
          {words.next}
        </a>
      )}
    </nav>
  );
}
