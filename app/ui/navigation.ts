/**
 * What the header shows on each path, and the sidebar's links: one table (docs/specification.md, section 2.3), so that no
 * page decides for itself. The scripts of hydrated pages, the steps of an order, are built without it.
 */
import type { MessageKey } from "#server/foundation/languages/messages.ts";
import * as paths from "#server/foundation/paths.ts";

export interface Navigation {
  /** The families: "catalogue" switches what is on sale, "list" filters a list. */
  readonly providerSelector: "catalogue" | "list" | null;
  readonly search: boolean;
  /** Widths at which the burger is shown: all on the specification's paths, only those of phones on other pages. */
  readonly sidebar: "everywhere" | "narrow" | null;
  /** The toggle of a journey's side panel, on narrow screens. */
  readonly pageSidebar: boolean;
  /** Whether the footer has offices, telephones and social links, as on pages that sell. */
  readonly fullFooter: boolean;
  /** Whether the country of the prices is shown: the address's, else the standard one. Left out on pages without prices. */
  readonly market: boolean;
}

const nothing: Navigation = {
  providerSelector: null,
  search: false,
  sidebar: null,
  pageSidebar: false,
  fullFooter: false,
  market: false,
};

interface Rule {
  /** A pattern where the path begins with an id. */
  path: string | RegExp;
  /** Includes every path below it. */
  andBelow?: true;
  shows: Partial<Navigation>;
}

const selling = { market: true, fullFooter: true } as const;
const catalogue = { ...selling, providerSelector: "catalogue", search: true, sidebar: "everywhere" } as const;
const list = { providerSelector: "list", sidebar: "everywhere" } as const;
const journey = { pageSidebar: true, market: true } as const;

/** Paths are case-sensitive: /Home and /home are two pages. */
const rules: readonly Rule[] = [
  { path: "/", shows: catalogue },
  { path: "/home", shows: catalogue },
  { path: "/Home", shows: { ...catalogue, providerSelector: null } },
  { path: "/search", shows: { ...selling, search: true, sidebar: "everywhere" } },
  { path: "/compare", shows: selling },
  { path: "/choose", shows: selling },
  { path: "/about", shows: { fullFooter: true } },
  { path: "/country", shows: { fullFooter: true } },
  { path: "/subscriptions", shows: list },
  { path: /^\/subscriptions\/[^/]+\/(cancel|renewal)$/, shows: { sidebar: "narrow" } },
  { path: "/renewals", shows: { sidebar: "narrow" } },
  { path: "/myorders", shows: list },
  { path: "/Myorders", shows: { sidebar: "everywhere" } },
  { path: "/cart", shows: list },
  { path: "/company", andBelow: true, shows: { sidebar: "narrow" } },
  { path: "/members", shows: { sidebar: "narrow" } },
  { path: "/account", shows: { sidebar: "narrow" } },
  { path: "/account/my-data", shows: { sidebar: "narrow" } },
  { path: "/documents", andBelow: true, shows: { sidebar: "narrow" } },
  { path: "/order", andBelow: true, shows: journey },
  { path: "/contract", andBelow: true, shows: { pageSidebar: true } },
  { path: "/subscription/addon", andBelow: true, shows: { pageSidebar: true } },
  { path: "/buy/more", andBelow: true, shows: { pageSidebar: true } },
  { path: /^\/[^/]+\/renew(\/|$)/, shows: { pageSidebar: true } },
];

export function navigationAt(pathname: string): Navigation {
  const path = pathname.replace(/(?<=.)\/+$/, "");
  const rule = rules.find(({ path: known, andBelow }) =>
    typeof known === "string"
      ? known === path || (andBelow && path.startsWith(`${known}/`))
      : known.test(path),
  );
  return { ...nothing, ...rule?.shows };
}

/** The current location, as useLocation() returns it. */
export interface NavigationLocation {
  pathname: string;
  search: string;
}

/** Query parameters that apply to one view of a list only: its page, and what was just done. */
const ofOneView = ["page", "ended", "completed", "removed"];

/**
 * The same page with changed query values. Undefined removes one. Page numbers are dropped, because they belong to the
 * unchanged list.
 */
export function pathWithQuery(
  { pathname, search }: NavigationLocation,
  changes: Record<string, string | undefined>,
): string {
  const query = new URLSearchParams(search);
  for (const name of ofOneView) query.delete(name);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) query.delete(name);
    else query.set(name, value);
  }
  return query.size === 0 ? pathname : `${pathname}?${query}`;
}

export interface ProviderOption {
  label: string;
  href: string;
  isCurrent: boolean;
}

/** A family on sale, as the root's loader describes it to pages. */
export interface Service {
  readonly id: string;
  readonly label: string;
  /** False for a family that only the catalogue page links to. */
  readonly inSelector: boolean;
  /** The default when a page names no family. */
  readonly isStandard: boolean;
}

/** The provider selector's links. Empty where it is not shown. @param all what the link to every family says */
export function providersAt(
  place: NavigationLocation,
  services: readonly Service[],
  all: string,
): readonly ProviderOption[] {
  const { providerSelector } = navigationAt(place.pathname);
  if (providerSelector === null) return [];
  if (providerSelector === "list") return listServicesAt(place, services, all);
  // A catalogue always shows one family. A list shows all until it is filtered.
  const standard = services.find(({ isStandard }) => isStandard)?.id;
  return optionsAt(
    place,
    services.filter(({ inSelector }) => inSelector),
    standard,
  );
}

/** The services by which a list can be filtered. */
export function listServicesAt(
  place: NavigationLocation,
  services: readonly Service[],
  all: string,
): readonly ProviderOption[] {
  return optionsAt(place, [{ label: all, id: undefined }, ...services]);
}

function optionsAt(
  place: NavigationLocation,
  services: readonly { label: string; id: string | undefined }[],
  standard?: string,
): readonly ProviderOption[] {
  const current = new URLSearchParams(place.search).get("service") ?? standard;
  return services.map(({ label, id }) => ({
    label,
    href: pathWithQuery(place, { service: id }),
    isCurrent: id === current,
  }));
}

/** A country we sell in, as the root's loader describes it to pages. */
export interface Market {
  readonly code: string;
  readonly name: string;
  readonly inSentence: string;
  /** Label of the country, with its currency's symbol. */
  readonly market: string;
  /** Whether it is the country shown by default. */
  readonly isStandard: boolean;
  /** The default when a page names no country: what the visitor chose last, else the standard one. */
  readonly isChosen: boolean;
}

/** The country whose prices the page shows, or null where the header shows none. */
export function marketAt(
  { pathname, search }: NavigationLocation,
  markets: readonly Market[],
): Market | null {
  if (!navigationAt(pathname).market) return null;
  const said = [new URLSearchParams(search).get("country"), ...pathname.split("/")];
  return markets.find(({ code }) => said.includes(code)) ?? markets.find(({ isChosen }) => isChosen) ?? null;
}

/** Link that switches the country: to the same page where it has prices, otherwise to the catalogue. */
export function inMarket(place: NavigationLocation, country: string): string {
  return navigationAt(place.pathname).market ? pathWithQuery(place, { country }) : paths.home({ country });
}

export function standardOf(markets: readonly Market[]): Market | null {
  return markets.find(({ isStandard }) => isStandard) ?? null;
}

export interface PageLink {
  readonly label: MessageKey;
  readonly href: string;
}

/** The header's pages, on screens that have room for them. */
export const headerLinks = (): readonly PageLink[] => [
  { label: "site.plans", href: paths.home() },
  { label: "site.subscriptions", href: paths.subscriptions() },
  { label: "site.cart", href: paths.cart() },
  { label: "site.myOrders", href: paths.myOrders() },
];

/** Pages in the signed-in user's menu. */
export const userLinks = (): readonly PageLink[] => [
  { label: "renewals.title", href: paths.renewals() },
  { label: "books.title", href: paths.documents() },
  { label: "site.company", href: paths.company() },
  { label: "site.members", href: paths.members() },
  { label: "site.myAccount", href: paths.account() },
];

/** The sidebar's pages on a phone, one line each. A visitor has no company yet. */
export const sidebarLinks = ({ isSignedIn }: { isSignedIn: boolean }): readonly PageLink[] => [
  ...headerLinks().filter(({ label }) => label !== "site.plans"),
  ...(isSignedIn ? userLinks() : []),
];
