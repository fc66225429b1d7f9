/**
 * Rate limits count by the address that our proxy saw, not by one in the client's headers; otherwise every guess would be the
 * first.
 */
import { describe, expect, test } from "vitest";
import { HttpBrowser } from "#tests/support/http-browser.ts";
import { freshEmail } from "#tests/support/journey.ts";
import { startStore } from "#tests/support/store.ts";

/** Sends six guesses for one account with a header each. @returns the statuses */
async function guesses(url: string, headersOf: (turn: number) => Record<string, string>): Promise<number[]> {
  const email = freshEmail();
  const statuses = [];
  for (let turn = 1; turn <= 6; turn += 1) {
    const answer = await new HttpBrowser(url).post("/login", { email, password: "guess" }, headersOf(turn));
    statuses.push(answer.status);
  }
  return statuses;
}
const refused = [401, 401, 401, 401, 401, 429];
const counted = [401, 401, 401, 401, 401, 401];

describe("the rate limit behind one proxy", async () => {
  const { stack } = await startStore();

  test("ignores addresses further left in X-Forwarded-For", async () => {
    const chain = (turn: number) => ({ "X-Forwarded-For": `6.6.6.${turn}, 203.0.113.1` });
    expect(await guesses(stack.url, chain)).toEqual(refused);
  });

  test("treats another port as the same client", async () => {
    const four = (turn: number) => ({ "X-Forwarded-For": `203.0.113.2:${50_000 + turn}` });
    expect(await guesses(stack.url, four)).toEqual(refused);
    const six = (turn: number) => ({ "X-Forwarded-For": `[2001:db8::${turn}]:${50_000 + turn}` });
    expect(await guesses(stack.url, six)).toEqual(refused);
  });

  test("ignores other address headers", async () => {
    const others = (turn: number) => ({
      "X-Forwarded-For": "203.0.113.3",
      "X-Client-Address": `6.6.6.${turn}`,
      "X-Real-IP": `6.6.6.${turn}`,
      Forwarded: `for=6.6.6.${turn}`,
    });
    expect(await guesses(stack.url, others)).toEqual(refused);
  });

  test("distinguishes two addresses with ports", async () => {
    const two = (turn: number) => ({ "X-Forwarded-For": `198.51.100.${turn}:443` });
    expect(await guesses(stack.url, two)).toEqual(counted);
  });
});

describe("the rate limit without a proxy", async () => {
  const { stack } = await startStore({ env: { TRUSTED_PROXIES: "0" } });

  test("ignores X-Forwarded-For", async () => {
    const named = (turn: number) => ({ "X-Forwarded-For": `203.0.113.${turn}` });
    expect(await guesses(stack.url, named)).toEqual(refused);
  });
});
