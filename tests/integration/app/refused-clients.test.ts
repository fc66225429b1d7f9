/** Properties of every response, also of refusals; internal errors; rate limits; and redirects that try to leave the site. */
import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { createUser } from "#server/accounts/users.ts";
import { HttpBrowser, hiddenFieldValue, type TestResponse } from "#tests/support/http-browser.ts";
import {
  beginOrder,
  freshEmail,
  type OpenPayment,
  placeOrder,
  plan,
  toCheckout,
  toReview,
} from "#tests/support/journey.ts";
import { startStore } from "#tests/support/store.ts";

// No worker, so that only requests write to the database and jobs stay in the queue.
const { stack, context, controls } = await startStore();

const browser = () => new HttpBrowser(stack.url);
describe("the server", () => {
  let buyer: HttpBrowser;
  let order: OpenPayment;
  beforeAll(async () => {
    order = await toCheckout(stack.url);
    buyer = order.browser;
  });

  const answers: Record<string, () => Promise<TestResponse>> = {
    "a document": () => browser().get("/"),
    "a step": () => buyer.get(`${order.path}/place-order`),
    "a data response": () => browser().get("/search.data"),
    "a step's data response": () => buyer.get(`${order.path}/place-order.data`),
    "a JSON call": () => browser().get("/health"),
    "a refused JSON call": () => browser().get("/check/user"),
    "a method not allowed": () => browser().get("/logout"),
    "a redirect of a loader": () => buyer.get(order.path),
    "a redirect to the login": () => browser().get(order.path),
    "a redirect of a form": () => browser().post("/logout", {}),
    "a redirect of the payment return": () =>
      browser().post("/payments/return", { order_id: order.providerOrderId }, { "Sec-Fetch-Site": null }),
    "an unknown page": () => browser().get("/no-such-page"),
    "a refused form": () => browser().post("/login", {}),
    "a form from another site": () => browser().post("/login", {}, { "Sec-Fetch-Site": "cross-site" }),
    "a method no route takes": () => browser().post("/search", {}),
    "an order that is not ours": () => browser().get(`/get/stage?id=${order.id}`),
  };

  test.each(Object.keys(answers))("sends the security headers and a request id with %s", async (name) => {
    const answer = await answers[name]?.();
    const header = (wanted: string) => answer?.headers.get(wanted) ?? "";
    expect(header("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    expect(header("x-content-type-options")).toBe("nosniff");
    expect(header("referrer-policy")).toBe("same-origin");
    const policy = header("content-security-policy");
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("base-uri 'none'");
    expect(policy).toMatch(/form-action 'self'/);
    // On a step's pages only, the payment provider's script writes inline styles.
    const strict = name === "a step" ? policy.replace("style-src 'self' 'unsafe-inline'", "") : policy;
    expect(strict).not.toMatch(/unsafe-|\*/);
    expect(answer?.headers.has("x-powered-by")).toBe(false);
  });

  test("puts a document's own nonce on each of its scripts", async () => {
    const nonces = await Promise.all(
      [0, 1].map(async () => {
        const answer = await buyer.get(`${order.path}/place-order`);
        const nonce = /'nonce-([^']+)'/.exec(answer.headers.get("content-security-policy") ?? "")?.[1] ?? "";
        expect(nonce).toMatch(/^[0-9a-f-]{36}$/);
        const scripts = [...answer.text.matchAll(/<script\b[^>]*>/g)].map(([tag]) => tag);
        expect(scripts.length).toBeGreaterThan(1);
        for (const tag of scripts) expect(tag).toContain(` nonce="${nonce}"`);
        return nonce;
      }),
    );
    expect(nonces[0]).not.toBe(nonces[1]);
  });

  test("does not cache personal responses", async () => {
    for (const path of [
      `${order.path}/place-order`,
      `/get/stage?id=${order.id}`,
      `${order.path}/place-order.data`,
    ]) {
      expect((await buyer.get(path)).headers.get("cache-control"), path).toBe("no-store");
    }
  });

  test("keeps cookies from scripts and other sites", async () => {
    const answer = await browser().post(`/order/${plan.family}/${plan.item}/IN`, {
      term: "P1Y",
      quantity: "1",
    });
    const [cookie] = answer.headers.getSetCookie();
    expect(cookie).toMatch(/^draft=.*; HttpOnly; SameSite=Lax$/);
  });
});

describe("an internal error", () => {
  /** Renames a table while the action runs. */
  async function without(table: "users" | "catalogue_items", act: () => Promise<void>): Promise<void> {
    await sql`alter table ${sql.table(table)} rename to taken_away`.execute(context.db);
    try {
      await act();
    } finally {
      await sql`alter table taken_away rename to ${sql.table(table)}`.execute(context.db);
    }
  }
  const secretive = (answer: TestResponse) => {
    expect(answer.status).toBe(500);
    expect(answer.text).toContain("Unexpected Application Error!");
    expect(answer.text).toContain(answer.headers.get("x-request-id"));
    expect(answer.text.replace(/<style>.*?<\/style>/s, "")).not.toMatch(
      /relation|taken_away|catalogue_items|select|node_modules|\bat .*:\d+:\d+/i,
    );
  };

  test("shows a generic page with the request id", async () => {
    // A separate address, because a cached page would be served without the database.
    const address = "/?fault=provoked";
    await without("catalogue_items", async () => secretive(await browser().get(address)));
    expect((await browser().get(address)).status).toBe(200);
  });

  test("shows a generic response to a form", async () => {
    await without("catalogue_items", async () => {
      const form = { term: "P1Y", quantity: "1" };
      secretive(await browser().post(`/order/${plan.family}/${plan.item}/IN`, form));
    });
  });

  test("returns a generic data response", async () => {
    await without("catalogue_items", async () => {
      const answer = await browser().get("/search.data");
      expect(answer.status).toBe(500);
      expect(answer.text).not.toMatch(/relation|taken_away|catalogue_items|node_modules/i);
    });
  });

  test("returns a generic response to a call", async () => {
    await without("users", async () => {
      const answer = await browser().get("/check/user?email=a@example.com");
      secretive(answer);
      expect(JSON.parse(answer.text)).toEqual({
        error: "Unexpected Application Error!",
        requestId: answer.headers.get("x-request-id"),
      });
    });
  });

  test("hides the payment provider's error and lets the order continue", async () => {
    const buyer = browser();
    const order = await toReview(buyer);
    await controls.faults({ match: { path: "^/razorpay/v1/orders" }, kind: "500" });
    const answer = await buyer.post(`${order.path}/place-order`, {
      intent: "place-order",
      terms: "on",
      total: String(order.totalMinor),
    });
    await controls.faults();
    expect(answer.status).toBe(503);
    expect(answer.text).not.toMatch(/Internal server error|razorpay|SERVER_ERROR/);
    await placeOrder(buyer, order);
  });

  test("reports Microsoft's failure at the domain check as temporary", async () => {
    await controls.faults({ match: { path: "^/partner-center" }, kind: "500" });
    const answer = await browser().get("/mssignup?tenant=freedomain");
    await controls.faults();
    expect(answer.status).toBe(503);
    expect(answer.text).not.toContain("Internal server error");
    expect(await browser().get("/mssignup?tenant=freedomain")).toMatchObject({
      status: 200,
      text: '{"valid":true}',
    });
  });
});

describe("the rate limiter", () => {
  async function untilRefused(ask: () => Promise<TestResponse>, allowed: number): Promise<TestResponse> {
    // A window may end during the count and allow as many again.
    for (let tries = 1; tries <= 2 * allowed + 1; tries += 1) {
      const answer = await ask();
      if (answer.status === 429) {
        expect(tries).toBeGreaterThan(allowed);
        return answer;
      }
    }
    throw new Error("never refused");
  }
  const tellsWhen = (answer: TestResponse, windowSeconds: number) => {
    const seconds = Number(answer.headers.get("retry-after"));
    expect(seconds).toBeGreaterThanOrEqual(1);
    expect(seconds).toBeLessThanOrEqual(windowSeconds);
    expect(answer.text).toContain("Too many attempts. Please try again in");
  };
  const asBrowsersDo = { Accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };
  /** Expects the page with the typed values and the message in its error summary. */
  const isThePage = (answer: TestResponse, heading: string, typed: Record<string, string>) => {
    expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(answer.text).toMatch(new RegExp(`<h1[^>]*>.*${heading}(?:</span>)*</h1>`));
    expect(answer.text).toMatch(/There is a problem.*Too many attempts\. Please try again in \d+ \w+\./s);
    for (const [name, value] of Object.entries(typed))
      expect(hiddenFieldValue(answer.text, name)).toBe(value);
  };

  test("limits /check/user per address with 429 and Retry-After", async () => {
    const guesser = browser();
    tellsWhen(await untilRefused(() => guesser.get("/check/user?email=a@example.com"), 60), 600);
    expect((await browser().get("/check/user?email=a@example.com")).status).toBe(200);
  });

  test("limits /mssignup with 429 and Retry-After", async () => {
    const guesser = browser();
    tellsWhen(await untilRefused(() => guesser.get("/mssignup?tenant=freedomain"), 120), 600);
  });

  test("blocks the login after five wrong passwords, also for the correct one", async () => {
    const buyer = browser();
    const { email } = await toReview(buyer);
    const guesser = browser();
    const guess = () => guesser.post("/login", { email, password: "wrong password" }, asBrowsersDo);
    const first = await guess();
    expect(first.status).toBe(401);
    expect(first.text).toContain("Login failed. Please try again.");
    expect(first.text).not.toContain("wrong password");
    const refused = await untilRefused(guess, 4);
    tellsWhen(refused, 900);
    isThePage(refused, "Sign in", { email });
    expect(refused.text).not.toContain("wrong password");
    expect(guesser.hasCookie("session")).toBe(false);
  });

  test("limits GST look-ups on the step itself, which continues without one", async () => {
    const buyer = browser();
    const { path } = await beginOrder(buyer);
    const choose = (form: Record<string, string>) =>
      buyer.post(`${path}/create-account`, { intent: "choose-address", ...form }, asBrowsersDo);
    const gstin = "29AAGCB7383J1Z4";
    const refused = await untilRefused(() => choose({ choice: "gst", gstin }), 30);
    tellsWhen(refused, 600);
    isThePage(refused, "Create Account", { gstin });
    expect((await choose({ choice: "manual" })).status).toBeLessThan(400);
  });

  test("limits logins of one address over many accounts", async () => {
    const guesser = browser();
    tellsWhen(
      await untilRefused(() => guesser.post("/login", { email: freshEmail(), password: "x" }), 20),
      900,
    );
  });

  test("ignores a forged client address", async () => {
    const guesser = browser();
    let forged = 0;
    const ask = () => {
      forged += 1;
      // Only the last entry is from our proxy; the client can forge the others.
      const headers = {
        "X-Forwarded-For": `1.2.3.${forged}, ${guesser.address}`,
        "X-Client-Address": `1.2.4.${forged}`,
      };
      return guesser.get("/check/user?email=a@example.com", headers);
    };
    tellsWhen(await untilRefused(ask, 60), 600);
  });
});

describe("the redirect after the login", () => {
  let signedIn: HttpBrowser;
  beforeAll(async () => {
    signedIn = browser();
    await toReview(signedIn);
  });

  test.each([
    "//evil.example",
    "///evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "/\\/evil.example",
    "javascript:alert(1)",
    "https://evil.example",
    "https:evil.example",
    "%2F%2Fevil.example",
    "/\t/evil.example",
    "/\n/evil.example",
    "\r\n//evil.example",
    " //evil.example",
    "evil.example",
    "/\u0000/evil.example",
    "/\u2028evil",
    `/${"a".repeat(600)}`,
    "",
  ])("ignores %j and leads home", async (next) => {
    const query = new URLSearchParams({ next });
    const redirected = await signedIn.get(`/login?${query}`);
    expect([redirected.status, redirected.location]).toEqual([302, "/"]);
    const page = await browser().get(`/login?${query}`);
    expect(hiddenFieldValue(page.text, "next")).toBe("/");
  });

  test("keeps a path inside the store", async () => {
    const redirected = await signedIn.get(`/login?${new URLSearchParams({ next: "/search?query=mail" })}`);
    expect(redirected.location).toBe("/search?query=mail");
  });

  test("validates the destination again when the form is posted", async () => {
    const email = freshEmail();
    await setUpLogin(email, "a-good-Pass-1");
    const login = (next: string) => browser().post("/login", { email, password: "a-good-Pass-1", next });
    for (const next of ["//evil.example", "/\\evil.example", "https://evil.example", "javascript:alert(1)"]) {
      const answer = await login(next);
      expect([answer.status, answer.location]).toEqual([303, "/"]);
    }
    expect((await login("/subscriptions")).location).toBe("/subscriptions");
  });
});

async function setUpLogin(email: string, password: string): Promise<void> {
  await context.db
    .transaction()
    .execute((trx) =>
      createUser(trx, { email, firstName: "Asha", lastName: "Rao", phone: "9876543210", password }),
    );
}
