/** The country of the prices: from the address, else from the cookie that the last address with a country set. */
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { HttpBrowser, trustHttpBrowser } from "#tests/support/http-browser.ts";
import { type Stack, startStack } from "#tests/support/stack.ts";

let stack: Stack;

beforeAll(async () => {
  stack = await startStack({
    template: inject("databaseTemplate"),
    env: {
      ...trustHttpBrowser,
      SELLER_NAME_US: "Hubs Example Inc",
      SELLER_ADDRESS_US: "1 Example Street; New York",
    },
    worker: false,
  });
});
afterAll(async () => {
  await stack?.stop();
});

const visitor = () => new HttpBrowser(stack.url);

test("remembers the country in the address for home and search", async () => {
  const buyer = visitor();
  const first = await buyer.get("/?country=US");
  const [cookie = ""] = first.headers.getSetCookie();
  expect(cookie).toMatch(/^country=.*HttpOnly; SameSite=Lax/);
  expect((await buyer.get("/")).text).toContain("$5.70");
  expect((await buyer.get("/search?query=exchange")).text).not.toMatch(/₹\d/);
  for (const path of ["/compare", "/choose"]) expect((await buyer.get(path)).text).not.toMatch(/₹\d/);
  // The same country sets no cookie again, and another one replaces it.
  expect((await buyer.get("/?country=US")).headers.getSetCookie()).toEqual([]);
  await buyer.get("/search?country=IN");
  expect((await buyer.get("/")).text).toContain("₹137");
});

test.each(["/", "/?country=IN", "/?country=XX", "/search"])(
  "%s: sets no cookie for a new visitor",
  async (path) => {
    const page = await visitor().get(path);
    expect(page.headers.getSetCookie()).toEqual([]);
    expect(page.text).toMatch(/₹\d/);
  },
);

test("ignores a cookie with an unknown country", async () => {
  const page = await visitor().get("/", { Cookie: "country=eyJ4IjoxfQ%3D%3D" });
  expect(page.status).toBe(200);
  expect(page.text).toContain("₹137");
});

test("shows the country's seller in the footer", async () => {
  const india = (await visitor().get("/")).text;
  expect(india).toMatch(/<p class="seller">.*GSTIN \w{15}/);
  const usa = (await visitor().get("/?country=US")).text;
  expect(usa).toMatch(/<p class="seller">.*Hubs Example Inc.*1 Example Street, New York/);
  expect(usa).not.toContain("GSTIN");
});
