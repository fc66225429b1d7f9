/** Pages and files for machines: the sitemap and all its pages, robots.txt, the manifest and page heads. */

import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { z } from "zod";
import { loadDemoData } from "#sandbox/demo/data.ts";
import { demoEmails, demoPassword } from "#sandbox/demo/login.ts";
import type { Context } from "#server/platform/context.ts";
import { HttpBrowser, trustHttpBrowser } from "#tests/support/http-browser.ts";
import { type Stack, startStack } from "#tests/support/stack.ts";
import { contextForStack } from "#tests/support/world.ts";

let stack: Stack;
let context: Context;

beforeAll(async () => {
  stack = await startStack({ template: inject("databaseTemplate"), env: trustHttpBrowser, worker: false });
  context = contextForStack(stack.env);
});
afterAll(async () => {
  await context?.db.destroy();
  await stack?.stop();
});

/** Requests an address as a crawler does, without cookies. */
const visit = (address: string) => new HttpBrowser(stack.url).get(address);

const inHead = (html: string, pattern: RegExp) => pattern.exec(html.split("</head>")[0] ?? "")?.[1] ?? null;
const titleIn = (html: string) => inHead(html, /<title>([^<]*)<\/title>/);
const canonicalIn = (html: string) =>
  inHead(html, /<link rel="canonical" href="([^"]*)"/)?.replaceAll("&amp;", "&") ?? null;
const robotsIn = (html: string) => inHead(html, /<meta name="robots" content="([^"]*)"/);
const descriptionIn = (html: string) => inHead(html, /<meta name="description" content="([^"]*)"/);

async function sitemap(): Promise<string[]> {
  const { text } = await visit("/sitemap.xml");
  return [...text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = ""]) => url.replaceAll("&amp;", "&"));
}

test("lists existing pages in the sitemap by canonical address with unique titles", async () => {
  const { headers } = await visit("/sitemap.xml");
  expect(headers.get("content-type")).toBe("application/xml; charset=utf-8");
  const urls = await sitemap();
  expect(urls.length).toBeGreaterThan(35);
  expect(new Set(urls).size).toBe(urls.length);
  const said = new Map<string, string>();
  for (const url of urls) {
    expect(url.startsWith(`${stack.url}/`), url).toBe(true);
    const { status, text } = await visit(url.slice(stack.url.length));
    expect(status, url).toBe(200);
    expect(canonicalIn(text), url).toBe(url);
    expect(robotsIn(text), url).toBeNull();
    expect(descriptionIn(text)?.length ?? 0, url).toBeGreaterThan(40);
    said.set(url, titleIn(text) ?? "");
  }
  expect(said.get(`${stack.url}/`)).toBe("Microsoft 365 plans for business in India | Hubs of Happiness");
  expect(said.get(`${stack.url}/?service=google&country=US`)).toBe(
    "Google Workspace plans for business in the USA | Hubs of Happiness",
  );
  expect([...said.values()].filter((title) => !title.endsWith(" | Hubs of Happiness"))).toEqual([]);
});

test.each([
  ["/home", "/"],
  ["/?utm_source=mail&service=microsoft", "/"],
  ["/home?country=US&TUP=true&service=google", "/?service=google&country=US"],
  ["/?service=unknown", "/"],
  ["/search?country=US", "/search"],
  [
    "/order/google/google-workspace-business-starter/IN?from=mail",
    "/order/google/google-workspace-business-starter/IN",
  ],
])("%s: declares %s as its canonical address", async (address, path) => {
  const { text } = await visit(address);
  expect(canonicalIn(text)).toBe(`${stack.url}${path}`);
  expect(text).toContain(`<meta property="og:site_name" content="Hubs of Happiness"/>`);
  expect(inHead(text, /<meta property="og:image" content="([^"]*)"/)).toBe(`${stack.url}/social.png`);
});

test("names the sitemap in robots.txt and blocks personal pages but no listed one", async () => {
  const { text, headers } = await visit("/robots.txt");
  expect(headers.get("content-type")).toBe("text/plain; charset=utf-8");
  expect(text).toContain(`\nSitemap: ${stack.url}/sitemap.xml\n`);
  const kept = [...text.matchAll(/^Disallow: (\S+)$/gm)].map(
    ([, pattern = ""]) => new RegExp(`^${pattern.replaceAll(/[.?]/g, "\\$&").replaceAll("*", ".*")}`),
  );
  const isKept = (url: string) => kept.some((pattern) => pattern.test(url));
  const order = "3f0c0000-0000-4000-8000-000000000000";
  for (const url of [
    "/cart",
    "/myorders",
    "/subscriptions?service=google",
    `/order/${order}/microsoft/microsoft-365-business-basic/IN/place-order`,
    `/orders/${order}/invoice`,
    `/${order}/renew`,
    `/buy/more/${order}`,
    "/reset-password/a-token",
    "/resume/a-token",
    "/invite/a-token",
  ])
    expect(isKept(url), url).toBe(true);
  expect((await sitemap()).map((url) => url.slice(stack.url.length)).filter(isKept)).toEqual([]);
});

test("lists existing icons in the manifest with their real sizes", async () => {
  const { text, headers } = await visit("/manifest.webmanifest");
  expect(headers.get("content-type")).toBe("application/manifest+json");
  const manifest = z
    .object({
      name: z.literal("Hubs of Happiness"),
      start_url: z.literal("/"),
      icons: z
        .array(z.object({ src: z.string(), sizes: z.string(), purpose: z.enum(["any", "maskable"]) }))
        .min(3),
    })
    .parse(JSON.parse(text));
  for (const { src, sizes } of manifest.icons) {
    const file = path.resolve("public", src.slice(1));
    expect(existsSync(file), src).toBe(true);
    const png = readFileSync(file);
    expect(`${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`).toBe(sizes);
  }
});

test("marks personal, search and missing pages as noindex", async () => {
  await loadDemoData(context.db);
  const owner = new HttpBrowser(stack.url);
  await owner.post("/login", { email: demoEmails.owner, password: demoPassword });
  const found: Record<string, string | null> = {};
  for (const url of [
    "/cart",
    "/myorders",
    "/subscriptions",
    "/members",
    "/account",
    "/Home",
    "/MSSignup",
    "/search?query=exchange",
    `/reset-password/${"a".repeat(43)}`,
    "/no-such-page",
  ]) {
    const { text } = await owner.get(url);
    expect(robotsIn(text), url).toBe("noindex");
    expect(canonicalIn(text), url).toBeNull();
    found[url] = titleIn(text);
  }
  expect(found["/cart"]).toBe("Cart | Hubs of Happiness");
  expect(found["/search?query=exchange"]).toBe("Search: exchange | Hubs of Happiness");
  expect(found["/no-such-page"]).toBe("Page not found | Hubs of Happiness");
});

test("escapes a plan's text in structured data", async () => {
  const evil = "</script><script>alert(1)</script>";
  await context.db
    .updateTable("catalogue_items")
    .set({ description: evil })
    .where("name", "=", "Microsoft 365 Business Basic")
    .execute();
  const { text } = await visit("/");
  expect(text).not.toContain(evil);
  const [, facts = ""] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(text) ?? [];
  const { "@graph": things } = z
    .object({
      "@context": z.literal("https://schema.org"),
      "@graph": z.array(z.looseObject({ "@type": z.string() })),
    })
    .parse(JSON.parse(facts));
  expect(things.map((thing) => thing["@type"])).toEqual(["Organization", "ItemList", "FAQPage"]);
  expect(JSON.stringify(things)).toContain(evil);
});

test("keeps the landing page below 10 KB on the wire, excluding styles", async () => {
  for (const address of ["/", "/?service=google&country=US", "/?service=brio"]) {
    const response = await fetch(new URL(address, stack.url), { headers: { "Accept-Encoding": "gzip" } });
    const html = (await response.text()).replace(/<style>.*?<\/style>/s, "");
    expect(gzipSync(html).length, address).toBeLessThan(10_240);
  }
});

test("serves security.txt with an expiry date in the future", async () => {
  const { text, headers, status } = await visit("/.well-known/security.txt");
  expect(status).toBe(200);
  expect(headers.get("content-type")).toBe("text/plain; charset=utf-8");
  const fields = Object.fromEntries(
    text
      .trimEnd()
      .split("\n")
      .map((line) => line.split(/: (.*)/s, 2)),
  );
  expect(fields).toMatchObject({
    Contact: "mailto:security@hubs.example",
    Canonical: `${stack.url}/.well-known/security.txt`,
    "Preferred-Languages": "en",
  });
  const daysLeft = (Date.parse(fields.Expires) - Date.now()) / 86_400_000;
  expect(daysLeft).toBeGreaterThan(30);
  expect(daysLeft).toBeLessThan(365);
});
