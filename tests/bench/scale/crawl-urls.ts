/**
 * Crawls a part of the store like a user: from its screens through links, the choices and fields of its filters, and the links to
 * a list's next page. A new page is measured automatically; a new field needs an example.
 */
import type { HttpBrowser } from "#tests/support/http-browser.ts";
import { type Examples, examplesFor } from "./examples.ts";

export interface Address {
  /** Its page, with "*" in place of an id: "/desk/orders/*". */
  page: string;
  path: string;
  /** A browser that may open it. */
  browser: HttpBrowser;
}

export interface Area {
  /** Start of the crawl. */
  leads: readonly Omit<Address, "page">[];
  /** Whether the crawl follows a link. */
  isPart(url: URL): boolean;
  /** The same text for pages that differ only in their subject. */
  pageOf(pathname: string): string;
  /** Maximum number of pages to open that differ only in their subject, such as those of orders. */
  mostAlike: number;
  /** Values for its fields. */
  examples: Examples;
}

/** @throws Error for a page that does not answer, and for a field without an example */
export async function findAddresses(area: Area): Promise<Address[]> {
  const { pageOf, mostAlike, examples } = area;
  const found = new Map<string, Address>();
  const alike = new Map<string, Set<string>>();
  const waiting = area.leads.map((lead) => ({ ...lead, isLead: true }));
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { path, browser, isLead } = next;
    const { pathname } = new URL(path, browser.origin);
    const page = pageOf(pathname);
    const known = alike.get(page) ?? new Set<string>();
    alike.set(page, known);
    if (found.has(path) || (!known.has(pathname) && known.size >= mostAlike)) continue;
    known.add(pathname);
    const { status, text } = await browser.get(path);
    if (status !== 200) {
      // A link may lead to a refusal, for example a staff action that is not possible now; a screen and a list must not.
      if (isLead) throw new Error(`${path} answers with ${status}`);
      continue;
    }
    found.set(path, { page, path, browser });
    const here = new URL(path, browser.origin);
    const leads = [
      ...narrowedBy(here, text, examples),
      ...choicesIn(here, text),
      ...furtherPages(here, text),
    ];
    waiting.push(...leads.map((lead) => ({ path: lead, browser, isLead: true })));
    waiting.push(...linksIn(here, text, area).map((lead) => ({ path: lead, browser, isLead: false })));
  }
  return [...found.values()];
}

/** Links to other pages, without files and without filters. */
function linksIn(here: URL, html: string, { isPart }: Area): string[] {
  return [...html.matchAll(/<a\b[^>]*>/g)]
    .filter(([link]) => !/\bdownload\b/.test(link))
    .map(([link]) => addressIn(here, link, "href"))
    .filter(
      (url): url is URL => url !== null && isPart(url) && url.search === "" && url.pathname !== here.pathname,
    )
    .map(pathOf);
}

/** Links that filter a list. */
function choicesIn(here: URL, html: string): string[] {
  if (here.search !== "") return [];
  return [...html.matchAll(/<a\b[^>]*>/g)]
    .filter(([link]) => !/\bdownload\b|\brel="next"/.test(link))
    .map(([link]) => addressIn(here, link, "href"))
    .filter((url): url is URL => url !== null && url.search !== "" && url.pathname === here.pathname)
    .map(pathOf);
}

/** A list's next page, and one from its middle. */
function furtherPages(here: URL, html: string): string[] {
  const isFurther = [...here.searchParams.values()].some((value) => deeper(value) !== null);
  if (isFurther) return [];
  return [...html.matchAll(/<a\b[^>]*\brel="next"[^>]*>/g)].flatMap(([link]) => {
    const next = addressIn(here, link, "href");
    if (next === null) return [];
    const middle = new URL(next);
    for (const [name, value] of next.searchParams) {
      const deep = here.searchParams.get(name) === value ? null : deeper(value);
      if (deep !== null) middle.searchParams.set(name, deep);
    }
    return [pathOf(next), pathOf(middle)];
  });
}

/** A year and a half, in microseconds. */
const back = 1.5 * 365 * 86_400 * 1e6;

/** A cursor in the middle of a list, from one at its beginning; null for another value. */
function deeper(value: string): string | null {
  if (/^\d+$/.test(value)) return String(Math.ceil(Number(value) / 2));
  const [, at, id] = /^(\d{15,16})\.(.+)$/s.exec(Buffer.from(value, "base64url").toString()) ?? [];
  return at === undefined ? null : Buffer.from(`${Number(at) - back}.${id}`).toString("base64url");
}

/** Addresses from its forms, one field at a time. */
function narrowedBy(here: URL, html: string, examples: Examples): string[] {
  if (here.search !== "") return [];
  const forms = [...html.matchAll(/<form\b[^>]*\bmethod="get"[^>]*>(.*?)<\/form>/gs)].filter(
    ([form]) =>
      (addressIn(here, form.slice(0, form.indexOf(">")), "action") ?? here).pathname === here.pathname,
  );
  return forms.flatMap(([, form = ""]) => [
    ...[...form.matchAll(/<select\b([^>]*)>(.*?)<\/select>/gs)].flatMap(([, select = "", options = ""]) =>
      [...options.matchAll(/<option\b[^>]*\bvalue="([^"]+)"/g)].map(([, value = ""]) =>
        withParam(here, nameIn(select), decoded(value)),
      ),
    ),
    ...[...form.matchAll(/<input\b[^>]*>/g)].flatMap(([input]) =>
      /\btype="(hidden|submit)"/.test(input)
        ? []
        : examplesFor(examples, nameIn(input), here.pathname).map((value) =>
            withParam(here, nameIn(input), value),
          ),
    ),
  ]);
}

function withParam(here: URL, name: string, value: string): string {
  return `${here.pathname}?${new URLSearchParams({ [name]: value }).toString()}`;
}

function nameIn(tag: string): string {
  const name = /\bname="([^"]+)"/.exec(tag)?.[1];
  if (name === undefined) throw new Error(`A field without a name: ${tag}`);
  return name;
}

function addressIn(here: URL, tag: string, attribute: string): URL | null {
  const value = new RegExp(`\\b${attribute}="([^"]*)"`).exec(tag)?.[1];
  if (value === undefined) return null;
  const url = new URL(decoded(value), here);
  return url.origin === here.origin ? url : null;
}

const decoded = (text: string) =>
  text.replaceAll("&amp;", "&").replaceAll("&quot;", '"').replaceAll("&#x27;", "'");
const pathOf = ({ pathname, search }: URL) => `${pathname}${search}`;
