/** The page for a lost connection is self-contained: its own style must stay in step with the product's. */
import { createHash } from "node:crypto";
import vm from "node:vm";
import { expect, test } from "vitest";
import { languageIds } from "#server/foundation/languages/language.ts";
import { textOf } from "#tests/support/tree.ts";

const page = textOf("public/offline.html");
const tokens = textOf("app/styles/tokens.css");

test("allows only its own style by its policy, and loads nothing", () => {
  const style = /<style>([\s\S]*?)<\/style>/.exec(page)?.[1] ?? "";
  const hash = createHash("sha256").update(style).digest("base64");
  expect(page).toContain(`content="default-src 'none'; style-src 'sha256-${hash}'"`);
  expect(page).not.toMatch(/<script|<link|<img|url\(/);
});

test("uses the product's colours", () => {
  const colours = [...page.matchAll(/(--[\w-]+: #[0-9a-f]{6};)/g)].map(([colour]) => colour);
  expect(colours).toHaveLength(10);
  expect(colours.filter((colour) => !tokens.includes(colour))).toEqual([]);
});

test("serves that page from the worker that pages register", () => {
  expect(textOf("public/offline-worker.js")).toContain('"/offline.html"');
  expect(textOf("app/enhance/offline-page.ts")).toContain("`/offline-worker.js?$");
});

test("renames the cache with the page, so that browsers replace it", () => {
  const hash = createHash("sha256").update(page).digest("hex").slice(0, 8);
  expect(textOf("public/offline-worker.js")).toContain(`const cacheName = "offline-${hash}";`);
});

test("answers only for pages: no form, call or saved invoice", () => {
  type Listener = (event: { request: object; respondWith: () => void }) => void;
  const listeners = new Map<string, Listener>();
  vm.runInNewContext(textOf("public/offline-worker.js"), {
    addEventListener: (name: string, listener: Listener) => listeners.set(name, listener),
    URL,
    location: { search: "" },
    fetch: () => Promise.resolve(),
  });
  function answers(request: { method?: string; mode?: string; path: string }): boolean {
    const { method = "GET", mode = "navigate", path } = request;
    let isAnswered = false;
    listeners.get("fetch")?.({
      request: { method, mode, url: `https://shop.example${path}` },
      respondWith: () => {
        isAnswered = true;
      },
    });
    return isAnswered;
  }
  expect(answers({ path: "/myorders?search=a.b" })).toBe(true);
  expect(answers({ path: "/orders/1/invoice.pdf" })).toBe(false);
  expect(answers({ path: "/login", method: "POST" })).toBe(false);
  expect(answers({ path: "/api/orders", mode: "cors" })).toBe(false);
});

const headings = {
  en: { silent: "The store isn't responding", offline: "You're offline" },
  hi: { silent: "स्टोर से जवाब नहीं मिल रहा है", offline: "आप ऑफ़लाइन हैं" },
};

test.each(
  languageIds.flatMap((language) => [
    { language, onLine: true, cause: "silent", other: "offline" } as const,
    { language, onLine: false, cause: "offline", other: "silent" } as const,
  ]),
)("shows $cause in $language, with the device online: $onLine", async (given) => {
  const { language, onLine, cause, other } = given;
  type Listener = (event: object) => void;
  const listeners = new Map<string, Listener>();
  vm.runInNewContext(textOf("public/offline-worker.js"), {
    addEventListener: (name: string, listener: Listener) => listeners.set(name, listener),
    URL,
    Response,
    location: { search: `?${language}` },
    navigator: { onLine },
    fetch: () => Promise.reject(new TypeError("Failed to fetch")),
    caches: { match: async () => new Response(page) },
  });
  const answer = new Promise<Response>((resolve) => {
    listeners.get("fetch")?.({
      request: { method: "GET", mode: "navigate", url: "https://shop.example/cart" },
      preloadResponse: Promise.resolve(undefined),
      respondWith: resolve,
    });
  });
  const html = await (await answer).text();
  expect(html).toContain(`<html lang="${language}">`);
  expect(html).toContain(`<body class="${cause}">`);
  const [, main = ""] = new RegExp(`<main lang="${language}">([\\s\\S]*?)</main>`).exec(html) ?? [];
  expect(main).toContain(`<h1 class="${cause}">${headings[language][cause]}</h1>`);
  // The style hides the other cause and the other languages.
  const hidden = [...html.matchAll(/^.*display: none.*$/gm)].join(" ");
  expect(hidden).toContain(`.${cause} .${other}`);
  for (const id of languageIds.filter((each) => each !== language)) {
    expect(hidden).toContain(`html[lang="${language}"] [lang="${id}"]`);
  }
});
