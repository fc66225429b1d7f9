/** Heads of pages: titles, canonical addresses, indexing by search engines, and files that heads and pages name. */

import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it, test } from "vitest";
import { appById } from "#app/pages/home/apps.ts";
import { canonicalCataloguePath } from "#app/pages/home/catalogue-query.ts";
import { telephone, whatsAppChat } from "#app/ui/brand.ts";
import { errorMeta, noindexMeta } from "#app/ui/head.ts";
import { indexedPage } from "#app/ui/indexed-page.ts";
import { catalogue } from "#db/seed/index.ts";
import { brand } from "#server/foundation/brand.ts";
import { filesUnder } from "#tests/support/tree.ts";

const projectFolder = path.resolve(import.meta.dirname, "../../../..");
const textOf = (file: string) => readFileSync(path.join(projectFolder, file), "utf8");
const matches = [{ id: "root", data: { brand, storeUrl: "https://shop.example" } }];

describe("a page that may be listed", () => {
  const meta = indexedPage<{ plan: string }>(({ plan }) => ({
    title: plan,
    description: `Buy ${plan}.`,
    path: canonicalCataloguePath({ service: "google", country: "US" }),
    things: [{ "@type": "Thing" }],
  }));
  const head = meta({ data: { plan: "Plan" }, matches });

  it("contains the store's name in the title, a description and a canonical URL", () => {
    expect(head).toContainEqual({ title: "Plan | Hubs of Happiness" });
    expect(head).toContainEqual({ name: "description", content: "Buy Plan." });
    const url = "https://shop.example/?service=google&country=US";
    expect(head).toContainEqual({ tagName: "link", rel: "canonical", href: url });
    expect(head).toContainEqual({ property: "og:url", content: url });
    expect(head).toContainEqual({ property: "og:image", content: "https://shop.example/social.png" });
    expect(head).toContainEqual({
      "script:ld+json": { "@context": "https://schema.org", "@graph": [{ "@type": "Thing" }] },
    });
    expect(head).not.toContainEqual(expect.objectContaining({ name: "robots" }));
  });

  it("returns nothing without its data or the root's", () => {
    expect(meta({ matches })).toEqual([]);
    expect(meta({ data: { plan: "Plan" }, matches: [{ id: "root" }] })).toEqual([]);
  });
});

test("titles other pages and excludes them from search engines", () => {
  expect(noindexMeta("Cart")({ matches })).toEqual([
    { title: "Cart | Hubs of Happiness" },
    { name: "robots", content: "noindex" },
  ]);
  const ofData = noindexMeta<{ name: string }>((data) => data?.name ?? "Nothing");
  expect(ofData({ data: { name: "Order" }, matches })[0]).toEqual({ title: "Order | Hubs of Happiness" });
  expect(ofData({ matches: [] })[0]).toEqual({ title: "Nothing" });
});

test("titles error pages by their error", () => {
  const data = { message: "", requestId: "", supportUrl: "", title: "Page not found" };
  const missing = { status: 404, statusText: "", internal: false, data };
  expect(errorMeta({ error: missing, matches })[0]).toEqual({ title: "Page not found | Hubs of Happiness" });
  // An error in a component carries no title in the visitor's language.
  expect(errorMeta({ error: new Error("no"), matches })[0]).toEqual({ title: "Hubs of Happiness" });
  expect(errorMeta({ matches })).toContainEqual({ name: "robots", content: "noindex" });
});

test.each([
  ["microsoft", "IN", "/"],
  ["google", "IN", "/?service=google"],
  ["microsoft", "US", "/?country=US"],
  ["brio", "US", "/?service=brio&country=US"],
] as const)("builds the canonical path of %s in %s: %s", (service, country, address) => {
  expect(canonicalCataloguePath({ service, country })).toBe(address);
});

test("writes the store's name only in the brand", () => {
  const written = [
    "app/root.tsx",
    "app/ui/header.tsx",
    "app/ui/footer.tsx",
    "app/pages/home/hero.tsx",
  ].filter((file) => textOf(file).includes(brand.name));
  expect(written).toEqual([]);
});

test("links phone numbers so that phones can dial them", () => {
  expect(telephone("+91 00000 00101")).toBe("tel:+910000000101");
  expect(whatsAppChat("+91 00000 00100")).toBe("https://wa.me/910000000100");
});

describe("an icon", () => {
  const idsIn = (file: string) =>
    new Set([...textOf(file).matchAll(/<symbol id="([^"]+)"/g)].map(([, id]) => id));
  const drawn = idsIn("public/icons.svg");
  const tiles = idsIn("public/tiles.svg");

  it("exists for every app of the catalogue, under the app's own name", () => {
    const apps = [...new Set(catalogue.flatMap(({ images }) => images))];
    expect(apps.length).toBeGreaterThan(20);
    expect(apps.filter((app) => appById(app).icon === "app")).toEqual([]);
    expect(apps.filter((app) => !tiles.has(appById(app).icon))).toEqual([]);
    expect(appById("word").name).toBe("Word");
    expect(appById("planner")).toEqual({ name: "Planner", icon: "app" });
    expect(tiles).toContain("app");
  });

  it("exists for every name in pages and in the store's contacts", () => {
    const named = filesUnder("app", /\.tsx$/).flatMap((file) =>
      [...textOf(file).matchAll(/<Icon name="([^"]+)"/g)].map(([, id]) => id),
    );
    expect(named.length).toBeGreaterThan(4);
    const wanted = [
      ...named,
      ...["next", "previous", "tick", "alert", "info", "clock"],
      ...[...brand.offices, ...brand.social].map(({ icon }) => icon),
    ];
    expect(wanted.filter((icon) => !drawn.has(icon))).toEqual([]);
  });

  it("stays small, like the picture of a shared link", () => {
    for (const file of ["public/icons.svg", "public/tiles.svg"])
      expect(textOf(file).length).toBeLessThan(6_000);
    expect(readFileSync(path.join(projectFolder, "public/social.png")).length).toBeLessThan(60_000);
  });
});

test("names only existing files", () => {
  const named = [...textOf("app/root.tsx").matchAll(/href: "(\/[^"]+)"/g)].map(([, file = ""]) => file);
  expect(named).toContain("/icon.svg");
  expect(named.filter((file) => !existsSync(path.join(projectFolder, "public", file)))).toEqual([]);
});

test("gives the browser's bar the header's colour, in light and dark", () => {
  const surfaces = [...textOf("app/styles/tokens.css").matchAll(/--surface: (#\w+);/g)].map(
    ([, colour]) => colour,
  );
  const bars = [...textOf("app/root.tsx").matchAll(/name="theme-color" content="(#\w+)"/g)].map(
    ([, colour]) => colour,
  );
  expect(bars).toHaveLength(2);
  expect(bars).toEqual(surfaces);
});
