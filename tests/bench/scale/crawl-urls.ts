/**
 * Every address of a part of the store, found as a person finds them: from its screens by links, by the choices and fields of its filters,
 * and by the way to a list's next page. A page that is added is measured without a word here; a field that is added wants an example.
 */
import type { HttpBrowser } from "#tests/support/http-browser.ts";
import { type Examples, examplesFor } from "./examples.ts";

export interface Address {
  /** The page it is of, with what is one of many left out: "/desk/orders/*". */
  page: string;
  path: string;
  /** Who may open it. */
  browser: HttpBrowser;
}

export interface Area {
  /** Where one begins. */
  leads: readonly Omit<Address, "page">[];
  /** Whether what a link leads to is looked at. */
  isPart(url: URL): boolean;
  /** The same for pages that differ in what they are about alone. */
  pageOf(pathname: string): string;
  /** Of the pages that differ in what they are about, such as those of orders, so many are opened. */
  mostAlike: number;
  /** What is typed into its fields. */
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
      // A link may lead to what is refused, as to an act that is not possible now; a screen and a list may not.
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

/** Other pages, without files and without what narrows a list. */
function linksIn(here: URL, html: string, { isPart }: Area): string[] {
  return [...html.matchAll(/<a\b[^>]*>/g)]
    .filter(([link]) => !/\bdownload\b/.test(link))
    .map(([link]) => addressIn(here, link, "href"))
    .filter(
      (url): url is URL => url !== null && isPart(url) && url.search === "" && url.pathname !== here.pathname,
    )
    .map(pathOf);
}

/** What a list is narrowed to by a link. */
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

/** The place of a row in the middle of a list, from that of a row at its beginning; null for what is no place in a list. */
function deeper(value: string): string | null {
  if (/^\d+$/.test(value)) return String(Math.ceil(Number(value) / 2));
  const [, at, id] = /^(\d{15,16})\.(.+)$/s.exec(Buffer.from(value, "base64url").toString()) ?? [];
  return at === undefined ? null : Buffer.from(`${Number(at) - back}.${id}`).toString("base64url");
}

/** What its forms can ask for, one field at a time. */
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
