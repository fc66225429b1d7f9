/** Desk's sidebar, which replaces the store's header: search, the pages in groups, the user, and the sign-out. */
import { useLocation } from "@remix-run/react";
import * as paths from "#server/foundation/paths.ts";
import { useStoreName } from "../ui/brand.ts";
import { Icon } from "../ui/icons.tsx";
import type { DeskLink, HeaderView } from "./view.ts";

/** @param props.desk null on the sign-in pages, and where an error prevented reading it */
export function DeskHeader({ desk }: { desk: HeaderView | null }) {
  const store = useStoreName();
  const { pathname } = useLocation();
  const brand = (
    <a className="brand" href={paths.desk()}>
      {store?.name} desk
    </a>
  );
  if (desk === null) return <header className="header desk">{brand}</header>;
  // A money list can have its own link. On that list's page, mark only that link.
  const open = desk.links.find(({ href }) => href === pathname);
  const links = desk.links.map((link) =>
    open === undefined ? link : { ...link, current: link === open ? ("page" as const) : null },
  );
  return (
    <header className="side">
      {brand}
      <search>
        <form method="get" action={paths.deskOrders()}>
          <input
            id="desk-search"
            name="search"
            type="search"
            maxLength={100}
            placeholder="Search"
            aria-label="Search orders by number, email, company, GSTIN or domain"
            aria-keyshortcuts="/"
            autoComplete="off"
          />
        </form>
      </search>
      <nav aria-label="Desk">
        <Groups links={links} id="side" />
      </nav>
      <User {...desk} />
      <Tabs {...desk} links={links} />
    </header>
  );
}

function User({ email, role }: HeaderView) {
  return (
    <form method="post" action={paths.deskLogout()} className="who">
      <span>
        {email}, {role}
      </span>
      <button type="submit">Sign out</button>
    </form>
  );
}

const groups = ["Work", "Money", "System"] as const satisfies readonly DeskLink["group"][];

function Groups({ links, id }: { links: readonly DeskLink[]; id: string }) {
  return groups.map((group) => {
    const own = links.filter((link) => link.group === group);
    if (own.length === 0) return null;
    return (
      <div key={group}>
        <p id={`${id}-${group}`}>{group}</p>
        <ul aria-labelledby={`${id}-${group}`}>
          {own.map((link) => (
            <li key={link.href}>
              <PageLink {...link} />
            </li>
          ))}
        </ul>
      </div>
    );
  });
}

/** Tab bar on phones: the most used pages, then a menu with all others and the sign-out. */
function Tabs(desk: HeaderView) {
  const [queue, orders, ...others] = desk.links;
  return (
    <nav aria-label="Desk, short" className="bottom">
      {queue !== undefined && <PageLink {...queue} label="Queue" />}
      {orders !== undefined && <PageLink {...orders} />}
      <a href={`${paths.deskOrders()}#search`}>
        <Icon name="search" size={20} />
        <span>Search</span>
      </a>
      <details>
        <summary>
          <Icon name="menu" size={20} />
          <span>More</span>
        </summary>
        <div>
          <Groups links={others} id="more" />
          <User {...desk} />
        </div>
      </details>
    </nav>
  );
}

const ariaCurrent = { page: "page", section: "true" } as const;

function PageLink({ label, href, icon, count, current }: DeskLink) {
  return (
    <a href={href} aria-current={current === null ? undefined : ariaCurrent[current]}>
      <Icon name={icon} size={20} />
      <span>{label}</span>
      {count !== null && <b aria-hidden="true">{count}</b>}
    </a>
  );
}

/** Finds the sidebar's data in the data of a document's loaders. */
export function headerViewIn(data: unknown): HeaderView | null {
  if (typeof data !== "object" || data === null || !("desk" in data)) return null;
  return isDeskView(data.desk) ? data.desk : null;
}

function isDeskView(value: unknown): value is HeaderView {
  return typeof value === "object" && value !== null && "links" in value && "email" in value;
}
