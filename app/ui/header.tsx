/** The header of every page: what navigation.ts says belongs here. Works as plain links, forms and a native popover. */
import { useLocation } from "@remix-run/react";
import { paths } from "../paths.ts";
import { useBrand } from "./brand.ts";
import {
  type HeaderUser,
  type Market,
  marketAt,
  navigationAt,
  type ProviderOption,
  providersAt,
  shownName,
} from "./navigation.ts";
import { Sidebar, SidebarButton } from "./sidebar.tsx";

export function Header({ user }: { user: HeaderUser | null }) {
  const place = useLocation();
  const shows = navigationAt(place.pathname);
  const market = marketAt(place);
  const brand = useBrand();
  return (
    <header className={shows.sidebar ? "header with-sidebar" : "header"}>
      {shows.sidebar && <SidebarButton />}
      <a className="brand" href={paths.home()}>
        {brand?.name ?? "Home"}
      </a>
      <Providers options={providersAt(place)} ofList={shows.providerSelector === "list"} />
      {shows.search && <SearchBox id="search-query" market={market} />}
      {market !== null && (
        <p className="market">
          <span className="visually-hidden">Country: </span>
          {market.name}
        </p>
      )}
      <nav aria-label="Account" className="account">
        <LogInOrOut user={user} name={user === null ? null : shownName(user)} />
      </nav>
      {shows.sidebar && (
        <Sidebar user={user}>
          {shows.search && <SearchBox id="sidebar-search-query" market={market} />}
          <LogInOrOut user={user} name={null} />
        </Sidebar>
      )}
    </header>
  );
}

function Providers({ options, ofList }: { options: readonly ProviderOption[]; ofList: boolean }) {
  if (options.length === 0) return null;
  return (
    <nav aria-label="Provider" className={ofList ? "providers of-list" : "providers"}>
      <ul>
        {options.map(({ label, href, isCurrent }) => (
          <li key={label}>
            <a href={href} aria-current={isCurrent ? "true" : undefined}>
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function SearchBox({ id, market }: { id: string; market: Market | null }) {
  return (
    <search>
      <form action={paths.search()} method="get" className="search">
        <label className="visually-hidden" htmlFor={id}>
          Search services
        </label>
        <input id={id} name="query" type="search" maxLength={200} placeholder="Search services" />
        {market?.code === "US" && <input type="hidden" name="country" value="US" />}
        <button type="submit" className="quiet">
          Search
        </button>
      </form>
    </search>
  );
}

function LogInOrOut({ user, name }: { user: HeaderUser | null; name: string | null }) {
  if (user === null) return <a href={paths.login()}>Log In</a>;
  return (
    <form action={paths.logout()} method="post" className="in-row">
      {name !== null && <span title={user.email}>{name}</span>}
      <button type="submit" className="quiet">
        Log Out
      </button>
    </form>
  );
}
