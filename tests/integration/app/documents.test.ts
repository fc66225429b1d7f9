/**
 * HTML documents: inlined styles where a route asks for them, and documents that a proxy may cache for everyone. Those contain
 * no personal data, and their policy allows only the page's own scripts.
 */
import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { applySecurityHeaders } from "#app/http/security-headers.ts";
import { loadDemoData } from "#sandbox/demo/data.ts";
import { demoEmails } from "#sandbox/demo/login.ts";
import { findUserByEmail } from "#server/accounts/users.ts";
import * as paths from "#server/foundation/paths.ts";
import type { Context } from "#server/platform/context.ts";
import { readEnv } from "#server/platform/env.ts";
import { HttpBrowser, type TestResponse, trustHttpBrowser } from "#tests/support/http-browser.ts";
import { beginOrder, plan } from "#tests/support/journey.ts";
import { signedIn } from "#tests/support/orders.ts";
import { type Stack, startStack } from "#tests/support/stack.ts";
import { contextForStack } from "#tests/support/world.ts";

const stepOne = "/order/microsoft/microsoft-365-business-basic/IN";
let stack: Stack;
let context: Context;
let owner: HttpBrowser;

beforeAll(async () => {
  stack = await startStack({ template: inject("databaseTemplate"), env: trustHttpBrowser, worker: false });
  context = contextForStack(stack.env);
  await loadDemoData(context.db);
  const user = await findUserByEmail(context.db, demoEmails.owner);
  if (user === null) throw new Error("Expected the demo data to have an owner");
  owner = await signedIn(context, stack.url, { userId: user.id, email: user.email });
});
afterAll(async () => {
  await context?.db.destroy();
  await stack?.stop();
});

const visitor = () => new HttpBrowser(stack.url);
const policyOf = ({ headers }: TestResponse) => headers.get("content-security-policy") ?? "";
const directive = (answer: TestResponse, name: string) =>
  (
    policyOf(answer)
      .split("; ")
      .find((each) => each.startsWith(`${name} `)) ?? ""
  )
    .split(" ")
    .slice(1);
const hashOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
/**
 * A shared cache as docs/operate/deploy.md describes it: by address and by the values of the headers in Vary. Entries do not
 * expire during a test.
 */
class SharedCache {
  readonly #kept: { path: string; vary: [string, string | null][]; answer: TestResponse }[] = [];

  async get(browser: HttpBrowser, path: string): Promise<{ answer: TestResponse; isKept: boolean }> {
    const cookies = Object.entries(browser.cookies());
    const sent = new Map([["cookie", cookies.map(([name, value]) => `${name}=${value}`).join("; ")]]);
    const value = (name: string) => sent.get(name) || null;
    const found = this.#kept.find(
      (each) => each.path === path && each.vary.every(([name, was]) => value(name) === was),
    );
    if (found !== undefined) return { answer: found.answer, isKept: true };
    const answer = await browser.get(path);
    const vary = (answer.headers.get("vary") ?? "").split(/,\s*/).map((name) => name.toLowerCase());
    if (mayBeShared(answer)) this.#kept.push({ path, vary: vary.map((name) => [name, value(name)]), answer });
    return { answer, isKept: false };
  }
}

function mayBeShared({ headers }: TestResponse): boolean {
  const directives = (headers.get("cache-control") ?? "").split(/,\s*/);
  return directives.includes("public") && directives.some((each) => /^s-maxage=[1-9]/.test(each));
}

const shared = [
  "/",
  "/home?service=google",
  "/search?query=email",
  "/country",
  "/login",
  "/signup",
  "/forgot-password",
  stepOne,
];

describe("a shared cache", () => {
  test.each(shared)("stores %s for visitors without a cookie", async (path) => {
    const answer = await visitor().get(path);
    expect(answer.status).toBe(200);
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(answer.headers.get("cache-control")).toBe(
      "public, max-age=0, s-maxage=5, stale-while-revalidate=30",
    );
    expect(answer.headers.get("vary")).toBe("Accept-Encoding, Cookie, Accept-Language");
    expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(answer.text).toContain('data-user="null"');
  });

  test.each(["/nowhere", "/order/microsoft/no-such-plan/IN", "/members", "/_root.data", "/?jwt-token=none"])(
    "does not store %s",
    async (path) => {
      const answer = await visitor().get(path);
      expect(mayBeShared(answer)).toBe(false);
      expect(answer.headers.get("cache-control")).toBe("no-store");
    },
  );

  test("does not store responses to authenticated or POST requests", async () => {
    expect(mayBeShared(await visitor().get("/", { Authorization: "Bearer x" }))).toBe(false);
    expect(mayBeShared(await visitor().post("/login", { email: "a@example.com", password: "x" }))).toBe(
      false,
    );
  });

  test("stores pages that depend only on the address and the language", async () => {
    const plain = await visitor().get("/login");
    const odd = await visitor().get("/login", {
      "Accept-Language": "ta",
      "X-Forwarded-Host": "evil.example",
      "X-Forwarded-Proto": "gopher",
      "User-Agent": "evil",
      "Sec-Fetch-Site": "cross-site",
    });
    const unlike = ({ text }: TestResponse) => text.replaceAll(/nonce="[^"]*"/g, "");
    expect(unlike(odd)).toBe(unlike(plain));
  });

  test("keeps each country's page under a separate address", async () => {
    const proxy = new SharedCache();
    const markets = async (path: string) => {
      const { answer } = await proxy.get(visitor(), path);
      return new Set([...answer.text.matchAll(/\/order\/[^"]+\/(IN|US)"/g)].map(([, market]) => market));
    };
    for (let round = 0; round < 2; round += 1) {
      expect(await markets("/?country=IN")).toEqual(new Set(["IN"]));
      expect(await markets("/?country=US")).toEqual(new Set(["US"]));
    }
  });
});

describe("behind a shared cache, a page", () => {
  test("serves a second visitor the first one's page, without a user's data", async () => {
    const proxy = new SharedCache();
    for (const path of shared) {
      expect((await proxy.get(visitor(), path)).isKept).toBe(false);
      const { answer, isKept } = await proxy.get(visitor(), path);
      expect(isKept).toBe(true);
      expect(answer.text).toContain('data-user="null"');
    }
  });

  test("shows signed-in users their own page and is not stored", async () => {
    const proxy = new SharedCache();
    // A family in which the demo's owner has no account, so the page does not redirect.
    for (const path of ["/", "/order/brio/brio-desk/IN"]) {
      const first = await proxy.get(owner, path);
      expect(first.answer.text).toContain(demoEmails.owner);
      expect(first.answer.headers.get("cache-control")).toBe("no-store");
      await proxy.get(visitor(), path);
      expect((await proxy.get(owner, path)).answer.text).toContain(demoEmails.owner);
      expect((await proxy.get(visitor(), path)).answer.text).not.toContain(demoEmails.owner);
    }
    const led = await proxy.get(owner, stepOne);
    expect([led.answer.status, led.answer.headers.get("cache-control")]).toEqual([302, "no-store"]);
    expect((await proxy.get(visitor(), stepOne)).answer.status).toBe(200);
  });

  test("shows a draft to its own browser only", async () => {
    const proxy = new SharedCache();
    await proxy.get(visitor(), stepOne);
    const buyer = visitor();
    const { id } = await beginOrder(buyer, { quantity: 17 });
    expect((await proxy.get(buyer, stepOne)).answer.text).toContain('value="17"');
    const { answer, isKept } = await proxy.get(visitor(), stepOne);
    expect(isKept).toBe(true);
    expect(answer.text).not.toContain('value="17"');
    expect(answer.text).not.toContain(id);
  });

  test("shows a notification once, to its browser", async () => {
    const proxy = new SharedCache();
    await proxy.get(visitor(), "/home");
    const addOn = visitor();
    // An add-on needs an account first: a redirect with a message.
    const { location } = await addOn.get("/order/microsoft/copilot-for-microsoft-365/IN");
    expect(location).toMatch(/^\/login\?next=/);
    const delivered = await proxy.get(addOn, "/home");
    expect(delivered.answer.text).toContain('class="notice');
    expect(delivered.answer.headers.getSetCookie().join()).toContain("flash=;");
    expect(mayBeShared(delivered.answer)).toBe(false);
    for (const browser of [visitor(), addOn]) {
      const { answer } = await proxy.get(browser, "/home");
      expect(answer.text).not.toContain('class="notice');
    }
  });

  test("signs in with a token in the address despite the cache", async () => {
    const proxy = new SharedCache();
    await proxy.get(visitor(), "/");
    const { answer } = await proxy.get(visitor(), "/?jwt-token=none");
    expect([answer.status, answer.location]).toEqual([302, "/"]);
  });
});

test("lists only the matched routes on a hydrated page", async () => {
  const browser = visitor();
  const order = await beginOrder(browser);
  const routesOf = async (path: string) => {
    const { text } = await browser.get(path);
    const [, manifest = "{}"] = /window\.__remixManifest = (\{[\s\S]*?\});/.exec(text) ?? [];
    return Object.keys(JSON.parse(manifest).routes ?? {}).sort();
  };
  expect(await routesOf(stepOne)).toEqual(["journey/subscription-details/new-order", "root"]);
  const step = `${order.path}/subscription-details`;
  expect(await routesOf(step)).toEqual(["order", "order/subscription-details", "root"]);
});

describe("the policy", () => {
  test.each(["/", "/login", stepOne])("%s: allows exactly the page's own scripts", async (path) => {
    const answer = await visitor().get(path);
    const inline = [...answer.text.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/g)]
      // Structured data for search engines is not run.
      .filter(([, attributes = ""]) => !/src=|json"/.test(attributes))
      .map(([, , text = ""]) => hashOf(text));
    const allowed = directive(answer, "script-src").filter((source) => !source.startsWith("http"));
    expect(allowed.sort()).toEqual(["'self'", ...inline].sort());
    expect(directive(answer, "script-src").join()).not.toMatch(/nonce|unsafe/);
  });

  test("blocks scripts injected through the address", async () => {
    const evil = '"><script nonce="x">alert(1)</script>';
    const answer = await visitor().get(`/search?query=${encodeURIComponent(evil)}`);
    expect(answer.text).not.toContain('<script nonce="x"');
    expect(policyOf(answer)).not.toContain(hashOf("alert(1)"));
  });

  test("allows inline styles on the home page only", async () => {
    for (const answer of [await visitor().get("/"), await owner.get("/"), await owner.get("/Home")]) {
      const [, styles = ""] = /<style>([\s\S]*?)<\/style>/.exec(answer.text) ?? [];
      expect(styles.length).toBeGreaterThan(1_000);
      expect(directive(answer, "style-src")).toEqual(["'self'", hashOf(styles)]);
      // The remaining styles load after the first screen.
      expect(answer.text.indexOf('rel="stylesheet"')).toBeGreaterThan(answer.text.indexOf("</h1>"));
    }
    const login = await visitor().get("/login");
    expect(login.text).toContain('rel="stylesheet"');
    expect(login.text).not.toContain("<style");
    expect(directive(login, "style-src")).toEqual(["'self'"]);
  });

  test("preloads stylesheets with a Link header", async () => {
    const stylesheets = ({ text }: TestResponse) =>
      [...text.matchAll(/<link rel="stylesheet" href="([^"]+)"/g)].map(([, url]) => url);
    const announced = ({ headers }: TestResponse) =>
      [...(headers.get("link") ?? "").matchAll(/<([^>]+)>; rel=preload; as=style/g)].map(([, url]) => url);
    const pages = {
      login: await visitor().get("/login"),
      step: await visitor().get(paths.newOrder(plan)),
      list: await owner.get(paths.subscriptions()),
      missing: await visitor().get("/nowhere"),
    };
    for (const page of Object.values(pages)) expect(announced(page)).toEqual(stylesheets(page));
    // A step does not load the styles of lists.
    expect(stylesheets(pages.step)).toEqual(stylesheets(pages.login));
    expect(stylesheets(pages.list)).toHaveLength(2);
    // The home page inlines the styles of its first screen and preloads none.
    expect(announced(await visitor().get("/"))).toEqual([]);
  });
});

describe("the payment provider's checkout", () => {
  test("opens only on pages that reach payment without a new document", async () => {
    const { env } = context;
    const sources = {
      "script-src": env.RAZORPAY_SCRIPT_SOURCES,
      "connect-src": env.RAZORPAY_CONNECT_SOURCES,
      "frame-src": env.RAZORPAY_FRAME_SOURCES,
      "img-src": env.RAZORPAY_IMAGE_SOURCES,
      "form-action": env.RAZORPAY_FORM_SOURCES,
    };
    const [step, home] = [await visitor().get(stepOne), await visitor().get("/")];
    for (const [name, allowed] of Object.entries(sources)) {
      expect(allowed.length).toBeGreaterThan(0);
      expect(directive(step, name)).toEqual(expect.arrayContaining([...allowed]));
      for (const source of allowed) expect(directive(home, name)).not.toContain(source);
    }
    expect(directive(home, "frame-src")).toEqual(["'none'"]);
    expect(directive(home, "style-src").join()).not.toContain("unsafe");
  });

  test("allows the real provider's sources unless a setting overrides them", () => {
    const real = readEnv({
      ...stack.env,
      RAZORPAY_SCRIPT_SOURCES: undefined,
      RAZORPAY_CONNECT_SOURCES: undefined,
      RAZORPAY_FRAME_SOURCES: undefined,
      RAZORPAY_IMAGE_SOURCES: undefined,
      RAZORPAY_FORM_SOURCES: undefined,
    });
    const headers = new Headers();
    applySecurityHeaders(headers, real, { scripts: [], styles: [], pays: true });
    const policy = headers.get("content-security-policy");
    expect(policy).toContain("script-src 'self' https://checkout.razorpay.com https://cdn.razorpay.com;");
    expect(policy).toContain(
      "connect-src 'self' https://lumberjack.razorpay.com https://lumberjack-metrics.razorpay.com;",
    );
    expect(policy).toContain("frame-src https://api.razorpay.com https://checkout.razorpay.com;");
    expect(policy).toContain("img-src 'self' data: https://cdn.razorpay.com;");
    expect(policy).toContain("form-action 'self' https://api.razorpay.com;");
  });
});
