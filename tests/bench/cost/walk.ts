/** Finds every address of the store and who can open it, the forms in its pages, and its calls. */
import type { RouteConfigEntry } from "@remix-run/route-config";
import { z } from "zod";
import routes from "#app/routes.ts";
import type { HttpBrowser } from "#tests/support/http-browser.ts";
import type { Places } from "../places.ts";
import { newOrder, screens } from "../screens.ts";

export type Who = "visitor" | "owner" | "staff";

export interface Place {
  /** Patterns of the routes: "/orders/:id/invoice". */
  pattern: string;
  path: string;
  who: Who;
  browser: HttpBrowser;
  /** Query parameters in its links and filters. */
  queryNames: string[];
}

export interface PostedForm extends Pick<Place, "path" | "who" | "browser"> {
  fields: [name: string, value: string][];
}

export interface Call extends Pick<Place, "path"> {
  method: "GET" | "POST";
  /** Example of its body or query. */
  example: Readonly<Record<string, unknown>>;
}

export interface Walk {
  places: Place[];
  forms: PostedForm[];
  calls: Call[];
}

/** Every pattern of the routes, calls and steps included. */
export function patternsOf(entries: readonly RouteConfigEntry[], above = ""): string[] {
  return entries.flatMap((entry) => {
    const pattern = [above, entry.path].filter(Boolean).join("/");
    return entry.children === undefined ? [`/${pattern}`] : patternsOf(entry.children, pattern);
  });
}

const patterns = [...new Set(patternsOf(routes))].map((pattern) => ({
  pattern,
  fits: new RegExp(`^${pattern.replaceAll(".", "\\.").replaceAll(/:\w+/g, "[^/]+").replace("*", ".+")}$`),
}));

/** Example parameters for addresses without a link. */
const examples: Readonly<Record<string, string>> = {
  provider: "google",
  family: "microsoft",
  item: "microsoft-365-business-basic",
  country: "IN",
  language: "en",
  token: "t".repeat(43),
  place: "new",
};
const unknownId = "7d4b0a9e-8c1f-4a52-9a39-0a2c2f1f6a11";
const filled = (pattern: string) =>
  pattern.replaceAll(/:(\w+)/g, (_, name: string) => examples[name] ?? unknownId).replace("*", "nowhere");

/** Opens every screen as its intended user, and reads its links and forms. */
export async function walkStore(places: Places): Promise<Walk> {
  const whoOf = (browser: HttpBrowser): Who =>
    browser === places.admin ? "staff" : browser === places.owner ? "owner" : "visitor";
  const found = new Map<string, Place>();
  const forms = new Map<string, PostedForm>();
  const add = (path: string, browser: HttpBrowser) => {
    const url = new URL(path, browser.origin);
    const fitting = patterns.find(({ fits }) => fits.test(url.pathname));
    if (url.origin !== browser.origin || fitting === undefined) return undefined;
    const who = whoOf(browser);
    const key = `${who} ${fitting.pattern}`;
    const place = found.get(key) ?? {
      ...fitting,
      path: url.pathname + url.search,
      who,
      browser,
      queryNames: [],
    };
    found.set(key, place);
    place.queryNames = [...new Set([...place.queryNames, ...url.searchParams.keys()])];
    return place;
  };
  for (const screen of screens) {
    const { path, browser } = await screen.at(places);
    const place = add(path, browser);
    const { text } = await browser.get(path);
    for (const link of linksIn(text)) add(new URL(link, new URL(path, browser.origin)).href, browser);
    for (const form of formsIn(text)) {
      const action = new URL(form.action, new URL(path, browser.origin));
      const names = form.fields.map(([name]) => name);
      if (!form.isPosted) place?.queryNames.push(...names);
      else if (action.origin === browser.origin) {
        const who = whoOf(browser);
        const key = [
          who,
          action.pathname,
          ...form.fields.filter(([name]) => name === "intent"),
          ...names,
        ].join();
        forms.set(key, { path: action.pathname + action.search, who, browser, fields: form.fields });
      }
    }
  }
  for (const { pattern } of patterns)
    for (const browser of [places.stranger, places.owner, places.admin])
      add([...found.values()].find((place) => place.pattern === pattern)?.path ?? filled(pattern), browser);
  return { places: [...found.values()], forms: [...forms.values()], calls: await callsOf(places.stranger) };
}

const decoded = (text: string) =>
  text.replaceAll("&amp;", "&").replaceAll("&quot;", '"').replaceAll("&#x27;", "'");

function linksIn(html: string): string[] {
  return [...html.matchAll(/<a\b[^>]*\bhref="([^"]*)"/g)].map(([, href = ""]) => decoded(href));
}

function formsIn(html: string) {
  return [...html.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)].map(([, form = "", inner = ""]) => ({
    action: decoded(/\baction="([^"]*)"/.exec(form)?.[1] ?? ""),
    isPosted: /\bmethod="post"/i.test(form),
    fields: [...inner.matchAll(/<(?:input|select|textarea|button)\b([^>]*)>/g)].flatMap(
      ([, tag = ""]): [string, string][] => {
        const name = /\bname="([^"]+)"/.exec(tag)?.[1];
        return name === undefined ? [] : [[name, decoded(/\bvalue="([^"]*)"/.exec(tag)?.[1] ?? "1")]];
      },
    ),
  }));
}

const operation = z.looseObject({
  parameters: z
    .array(z.looseObject({ name: z.string(), in: z.string(), example: z.unknown().optional() }))
    .default([]),
  requestBody: z
    .looseObject({ content: z.record(z.string(), z.looseObject({ example: z.unknown().optional() })) })
    .optional(),
});
const openApi = z.looseObject({
  paths: z.record(z.string(), z.looseObject({ get: operation.optional(), post: operation.optional() })),
});

/** Reads the calls from the store's own description of them. */
async function callsOf(browser: HttpBrowser): Promise<Call[]> {
  const { text } = await browser.get("/api/openapi.json");
  return Object.entries(openApi.parse(JSON.parse(text)).paths).flatMap(([template, { get, post }]) => {
    const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => examples[name] ?? unknownId);
    return [
      ...(get === undefined ? [] : [{ method: "GET" as const, path, example: exampleOf(get) }]),
      ...(post === undefined ? [] : [{ method: "POST" as const, path, example: exampleOf(post) }]),
    ];
  });
}

function exampleOf({ parameters, requestBody }: z.output<typeof operation>): Record<string, unknown> {
  const query = parameters
    .filter((each) => each.in === "query")
    .map(({ name, example }) => [name, example ?? "1"]);
  const body = Object.values(requestBody?.content ?? {})[0]?.example;
  return { ...Object.fromEntries(query), ...(typeof body === "object" ? body : {}) };
}

/**
 * The version that the store requires in requests for its routes, from the manifest in a hydrated page.
 * @throws Error without one
 */
export async function routesVersion(browser: HttpBrowser): Promise<string> {
  const { text } = await browser.get(newOrder);
  const version = /"version": ?"(\w+)"/.exec(text)?.[1];
  if (version === undefined) throw new Error("Expected a version of the routes in a hydrated page");
  return version;
}
