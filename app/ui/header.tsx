/**
 * The header of every page. navigation.ts decides what it shows. Works with plain links, forms, a native popover and details.
 * Parts that no step of an order shows are left out of the script, because hydrated pages never contain them.
 */

import { useLocation } from "@remix-run/react";
import * as paths from "#server/foundation/paths.ts";
import { useMarket, useMarkets, useServices, useStoreName } from "./brand.ts";
import { displayName, type HeaderUser } from "./header-user.ts";
import { Icon } from "./icons.tsx";
import { LanguageSwitch } from "./language-switch.tsx";
import {
  headerLinks,
  inMarket,
  navigationAt,
  type ProviderOption,
  providersAt,
  standardOf,
  userLinks,
} from "./navigation.ts";
import { PageLinks } from "./page-links.tsx";
import { SearchForm } from "./search-form.tsx";
import { Sidebar, SidebarButton } from "./sidebar.tsx";
import { useTranslate } from "./text.tsx";
import { Wordmark } from "./wordmark.tsx";

export function Header({ user }: { user: HeaderUser | null }) {
  const place = useLocation();
  const shows = import.meta.env.SSR ? navigationAt(place.pathname) : null;
  const store = useStoreName();
  const services = useServices();
  const text = useTranslate();
  const hasPages = import.meta.env.SSR && shows !== null && shows.sidebar !== null;
  return (
    <header className={hasPages ? "header with-sidebar" : "header"}>
      {hasPages && <SidebarButton isEverywhere={shows.sidebar === "everywhere"} />}
      <a className="brand" href={paths.home()}>
        <Wordmark name={store?.name ?? text("shell.home")} />
      </a>
      {hasPages && (
        <nav aria-label={text("site.pages")} className="pages">
          <PageLinks of={headerLinks()} />
        </nav>
      )}
      {import.meta.env.SSR && shows !== null && (
        <Providers
          options={providersAt(place, services, text("site.all"))}
          ofList={shows.providerSelector === "list"}
        />
      )}
      {import.meta.env.SSR && shows?.search && <SearchBox id="search-query" />}
      <Country />
      {!(import.meta.env.SSR && place.pathname === paths.login()) && (
        <nav aria-label={text("shell.account")} className="account">
          <NameMenu user={user} withPages={hasPages} />
        </nav>
      )}
      {hasPages && (
        <Sidebar user={user}>
          <SearchBox id="sidebar-search-query" />
          <LogInOrOut user={user} />
          <LanguageSwitch />
        </Sidebar>
      )}
    </header>
  );
}

/**
 * The country of the prices. Where it can be changed, it opens the list of countries, which offers only the standard one, because
 * the page itself offers the others. An order has a fixed country.
 */
function Country() {
  const text = useTranslate();
  const place = useLocation();
  const markets = useMarkets();
  const market = useMarket();
  if (market === null) return null;
  const name = (
    <>
      <span className="visually-hidden">{text("shell.country")}</span>
      <span>{market.name}</span>
    </>
  );
  if (!import.meta.env.SSR || !navigationAt(place.pathname).search) return <p className="market">{name}</p>;
  const standard = standardOf(markets) ?? market;
  return (
    <details className="market menu" name="header-menu">
      <summary>
        <Icon name="globe" size={20} />
        {name}
      </summary>
      <div>
        <ul>
          <li>
            <a
              href={inMarket(place, standard.code)}
              aria-current={market.code === standard.code ? "true" : undefined}
            >
              {standard.name}
            </a>
          </li>
        </ul>
        <a href={paths.country()}>{text("site.otherCountry")}</a>
      </div>
    </details>
  );
}

/**
 * Selector of the catalogue's families, as a switch. On lists it is a menu, which fits at every width and shares its state with
 * the page's tabs.
 */
function Providers({ options, ofList }: { options: readonly ProviderOption[]; ofList: boolean }) {
  const text = useTranslate();
  if (options.length === 0) return null;
  const links = (
    <ul>
      {options.map(({ label, href, isCurrent }) => (
        <li key={label}>
          <a href={href} aria-current={isCurrent ? "true" : undefined}>
            {label}
          </a>
        </li>
      ))}
    </ul>
  );
  if (!ofList)
    return (
      <nav aria-label={text("site.provider")} className="providers">
        {links}
      </nav>
    );
  return (
    <nav aria-label={text("site.provider")} className="of-list">
      <details className="menu" name="header-menu">
        <summary>
          <span className="label">{`${text("site.provider")}: `}</span>
          <span>{options.find(({ isCurrent }) => isCurrent)?.label}</span>
          <span aria-hidden="true">⌄</span>
        </summary>
        <div>{links}</div>
      </details>
    </nav>
  );
}

function SearchBox({ id }: { id: string }) {
  const text = useTranslate();
  return (
    <search>
      <SearchForm className="search">
        <label className="visually-hidden" htmlFor={id}>
          {text("site.searchServices")}
        </label>
        <input id={id} name="query" type="search" maxLength={200} placeholder={text("site.searchServices")} />
        <button type="submit" className="icon" aria-label={text("site.search")}>
          <Icon name="search" size={20} />
        </button>
      </SearchForm>
    </search>
  );
}

/** The signed-in user, and the menu below the name. @param withPages false on an order's steps, which lead nowhere else */
function NameMenu({ user, withPages }: { user: HeaderUser | null; withPages: boolean }) {
  const text = useTranslate();
  if (user === null) return <LogInOrOut user={null} />;
  return (
    <details className="menu" name="header-menu">
      <summary title={user.email}>
        <Icon name="user" size={20} />
        <span>{displayName(user) ?? text("shell.account")}</span>
      </summary>
      <div>
        <p className="hint">{user.company ?? user.email}</p>
        {import.meta.env.SSR && withPages && <PageLinks of={userLinks()} />}
        <LogInOrOut user={user} />
      </div>
    </details>
  );
}

function LogInOrOut({ user }: { user: HeaderUser | null }) {
  const text = useTranslate();
  if (user === null) return <a href={paths.login()}>{text("shell.logIn")}</a>;
  return (
    <form action={paths.logout()} method="post">
      <button type="submit" className="quiet">
        {text("shell.logOut")}
      </button>
    </form>
  );
}
