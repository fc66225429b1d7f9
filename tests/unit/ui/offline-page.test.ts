/** The page of ours when the line is gone stands alone: it brings its own style, which must not drift from the product's. */
import { createHash } from "node:crypto";
import vm from "node:vm";
import { expect, test } from "vitest";
import { textOf } from "#tests/support/tree.ts";

const page = textOf("public/offline.html");
const tokens = textOf("app/styles/tokens.css");

test("its style is the one its policy lets in, and it needs nothing else", () => {
  const style = /<style>([\s\S]*?)<\/style>/.exec(page)?.[1] ?? "";
  const hash = createHash("sha256").update(style).digest("base64");
  expect(page).toContain(`content="default-src 'none'; style-src 'sha256-${hash}'"`);
  expect(page).not.toMatch(/<script|<link|<img|url\(/);
});

test("its colours are the product's", () => {
  const colours = [...page.matchAll(/(--[\w-]+: #[0-9a-f]{6};)/g)].map(([colour]) => colour);
  expect(colours).toHaveLength(10);
  expect(colours.filter((colour) => !tokens.includes(colour))).toEqual([]);
});

test("the worker keeps that page, and is the one that pages register", () => {
  expect(textOf("public/offline-worker.js")).toContain('"/offline.html"');
  expect(textOf("app/enhance/offline-page.ts")).toContain('register("/offline-worker.js")');
});

test("the worker answers for pages alone: not for a form, a call, or an invoice that is saved", () => {
  type Listener = (event: { request: object; respondWith: () => void }) => void;
  const listeners = new Map<string, Listener>();
  vm.runInNewContext(textOf("public/offline-worker.js"), {
    addEventListener: (name: string, listener: Listener) => listeners.set(name, listener),
    URL,
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

test.each([
  [true, "The store does not answer", "You are offline"],
  [false, "You are offline", "The store does not answer"],
])("with the device online: %s, the page says %s", async (onLine, shown, hidden) => {
  type Listener = (event: object) => void;
  const listeners = new Map<string, Listener>();
  vm.runInNewContext(textOf("public/offline-worker.js"), {
    addEventListener: (name: string, listener: Listener) => listeners.set(name, listener),
    URL,
    Response,
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
  const [, cause = ""] = /<body class="(\w+)">/.exec(html) ?? [];
  expect(html).toContain(`<h1 class="${cause}">${shown}</h1>`);
  // The style hides what is of the other cause.
  expect(html).not.toContain(`<h1 class="${cause}">${hidden}</h1>`);
  const other = cause === "offline" ? "silent" : "offline";
  expect(/^.*display: none.*$/m.exec(html)?.[0]).toContain(`.${cause} .${other}`);
});
