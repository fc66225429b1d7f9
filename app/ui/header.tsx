/** The header of every page. navigation.ts decides what it shows. Works with plain links, forms and a native popover. */

import { useLocation } from "@remix-run/react";
import * as paths from "#server/paths.ts";
import { useBrand, useMarkets, useServices } from "./brand.ts";
import {
  type HeaderUser,
  marketAt,
  navigationAt,
  type Place,
  type ProviderOption,
  placeWith,
  providersAt,
  shownName,
  standardOf,
} from "./navigation.ts";
import { SearchForm } from "./search-form.tsx";
import { Sidebar, SidebarButton } from "./sidebar.tsx";

export function Header({ user }: { user: HeaderUser | null }) {
  const place = useLocation();
  const shows = navigationAt(place.pathname);
  const brand = useBrand();
  const services = useServices();
  return (
    <header className={shows.sidebar ? "header with-sidebar" : "header"}>
      {shows.sidebar && <SidebarButton />}
      <a className="brand" href={paths.home()}>
        {brand?.name ?? "Home"}
      </a>
      <Providers options={providersAt(place, services)} ofList={shows.providerSelector === "list"} />
      {shows.search && <SearchBox id="search-query" />}
      <Country place={place} />
      <nav aria-label="Account" className="account">
        <LogInOrOut user={user} name={user === null ? null : shownName(user)} />
      </nav>
      {shows.sidebar && (
        <Sidebar user={user}>
          {shows.search && <SearchBox id="sidebar-search-query" />}
          <LogInOrOut user={user} name={null} />
        </Sidebar>
      )}
    </header>
  );
}

/**
 * The country whose prices are shown. Where it can be changed, it opens the list of countries, which offers only the standard
 * one, because the page itself offers the others. An order has a fixed country.
 */
function Country({ place }: { place: Place }) {
  const markets = useMarkets();
  const market = marketAt(place, markets);
  const standard = standardOf(markets);
  if (market === null || standard === null) return null;
  const name = (
    <>
      <span className="visually-hidden">Country: </span>
      {market.name}
    </>
  );
  if (!navigationAt(place.pathname).search) return <p className="market">{name}</p>;
  return (
    <details className="market">
      <summary>{name}</summary>
      <ul>
        <li>
          <a
            href={placeWith(place, { country: undefined })}
            aria-current={market.isStandard ? "true" : undefined}
          >
            {standard.name}
          </a>
        </li>
      </ul>
    </details>
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

function SearchBox({ id }: { id: string }) {
  return (
    <search>
      <SearchForm className="search">
        <label className="visually-hidden" htmlFor={id}>
          Search services
        </label>
        <input id={id} name="query" type="search" maxLength={200} placeholder="Search services" />
        <button type="submit" className="quiet">
          Search
        </button>
      </SearchForm>
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
