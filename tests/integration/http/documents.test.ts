/**
 * What stands around a page: styles in the document where a route asks for it, and documents that are kept for a moment for
 * everyone. Nothing of a person comes out of what is kept, and its policy lets no script run but the page's own.
 */
import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { findUserByEmail } from "#server/accounts/users.ts";
import { loadDemoData } from "#server/commands/demo-data.ts";
import { demoEmails } from "#server/commands/demo-login.ts";
import type { Context } from "#server/context.ts";
import { type Answer, Browserless, trustBrowserless } from "#tests/support/browserless.ts";
import { beginOrder } from "#tests/support/journey.ts";
import { signedIn } from "#tests/support/orders.ts";
import { type Stack, startStack } from "#tests/support/stack.ts";
import { contextBeside } from "#tests/support/world.ts";

const stepOne = "/order/microsoft/microsoft-365-business-basic/IN";
let stack: Stack;
let context: Context;
let owner: Browserless;

beforeAll(async () => {
  stack = await startStack({ template: inject("databaseTemplate"), env: trustBrowserless, worker: false });
  context = contextBeside(stack.env);
  await loadDemoData(context.db);
  const user = await findUserByEmail(context.db, demoEmails.owner);
  if (user === null) throw new Error("The demo data has no owner");
  owner = await signedIn(context, stack.url, { userId: user.id, email: user.email });
}, 180_000);
afterAll(async () => {
  await context?.db.destroy();
  await stack?.stop();
});

const visitor = () => new Browserless(stack.url);
const policyOf = ({ headers }: Answer) => headers.get("content-security-policy") ?? "";
const directive = (answer: Answer, name: string) =>
  (
    policyOf(answer)
      .split("; ")
      .find((each) => each.startsWith(`${name} `)) ?? ""
  )
    .split(" ")
    .slice(1);
const hashOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
/** Two renderings have two nonces at their scripts; one that was kept has its own again. */
const renderingOf = ({ text }: Answer) => / nonce="([^"]+)"/.exec(text)?.[1] ?? "";

/** Asks until the answer is one given before, as a moment may end between any two. */
async function keptAnswer(path: string): Promise<Answer> {
  let earlier = "";
  for (let tries = 0; tries < 20; tries += 1) {
    const answer = await visitor().get(path);
    if (renderingOf(answer) === earlier) return answer;
    earlier = renderingOf(answer);
    await sleep(20);
  }
  throw new Error(`${path} is not kept`);
}

/** Two answers right after each other, in one of which nothing was kept. */
async function isMadeEachTime(path: string, browser: () => Browserless): Promise<boolean> {
  const answers = [];
  for (let tries = 0; tries < 4; tries += 1) answers.push(renderingOf(await browser().get(path)));
  return new Set(answers).size === answers.length;
}

describe("what is kept", () => {
  test.each(["/", "/home?service=google", "/search?query=email", "/country", stepOne])("%s", async (path) => {
    const answer = await keptAnswer(path);
    expect(answer.status).toBe(200);
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(answer.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.text).toContain('data-user="null"');
  });

  test.each(["/login", "/signup", "/nowhere", "/order/microsoft/no-such-plan/IN"])("not %s", async (path) => {
    expect(await isMadeEachTime(path, visitor)).toBe(true);
  });

  test("addresses are kept apart", async () => {
    const [india, usa] = [await keptAnswer("/?country=IN"), await keptAnswer("/?country=US")];
    const markets = ({ text }: Answer) =>
      new Set([...text.matchAll(/\/order\/[^"]+\/(IN|US)"/g)].map(([, market]) => market));
    expect([markets(india), markets(usa)]).toEqual([new Set(["IN"]), new Set(["US"])]);
  });
});

describe("nothing of a person is kept", () => {
  test("who is signed in gets a page of their own beside one that is kept, and leaves nothing behind", async () => {
    for (const path of ["/", stepOne]) {
      await keptAnswer(path);
      const own = await owner.get(path);
      expect(own.text).toContain(demoEmails.owner);
      expect(await isMadeEachTime(path, () => owner)).toBe(true);
      for (let tries = 0; tries < 5; tries += 1) {
        const { text } = await visitor().get(path);
        expect(text).not.toContain(demoEmails.owner);
        expect(text).toContain('data-user="null"');
      }
    }
  });

  test("whoever has begun an order is told of it, and others are not", async () => {
    await keptAnswer(stepOne);
    const buyer = visitor();
    const { id } = await beginOrder(buyer, { quantity: 17 });
    expect((await buyer.get(stepOne)).text).toContain('value="17"');
    const other = await keptAnswer(stepOne);
    expect(other.text).not.toContain('value="17"');
    expect(other.text).not.toContain(id);
  });

  test("a notification is shown once, to its browser", async () => {
    const addOn = visitor();
    // An add-on needs a product first: a redirect with a message.
    const { location } = await addOn.get("/order/microsoft/copilot-for-microsoft-365/IN");
    expect(location).toBe("/home");
    await keptAnswer("/home");
    const told = await addOn.get("/home");
    expect(told.text).toContain('class="notice');
    expect(told.headers.getSetCookie().join()).toContain("flash=;");
    expect((await keptAnswer("/home")).text).not.toContain('class="notice');
  });

  test("a token in the address signs in, whatever is kept", async () => {
    await keptAnswer("/");
    const answer = await visitor().get("/?jwt-token=none");
    expect([answer.status, answer.location]).toEqual([302, "/"]);
  });
});

describe("the policy", () => {
  test.each(["/", stepOne])("of %s, kept, names exactly the page's own scripts", async (path) => {
    const answer = await keptAnswer(path);
    const inline = [...answer.text.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/g)]
      // Facts for search engines are data, which nothing runs.
      .filter(([, attributes = ""]) => !/src=|ld\+json/.test(attributes))
      .map(([, , text = ""]) => hashOf(text));
    const allowed = directive(answer, "script-src").filter((source) => !source.startsWith("http"));
    expect(allowed.sort()).toEqual(["'self'", ...inline].sort());
    expect(policyOf(answer)).not.toMatch(/nonce|unsafe/);
  });

  test("lets no script run that came with the address", async () => {
    const evil = '"><script nonce="x">alert(1)</script>';
    const answer = await keptAnswer(`/search?query=${encodeURIComponent(evil)}`);
    expect(answer.text).not.toContain('<script nonce="x"');
    expect(policyOf(answer)).not.toContain(hashOf("alert(1)"));
  });

  test("of home names the styles that stand in it, and every other page has a stylesheet alone", async () => {
    for (const answer of [await visitor().get("/"), await owner.get("/"), await owner.get("/Home")]) {
      const [, styles = ""] = /<style>([\s\S]*?)<\/style>/.exec(answer.text) ?? [];
      expect(styles.length).toBeGreaterThan(1_000);
      expect(directive(answer, "style-src")).toEqual(["'self'", hashOf(styles)]);
      expect(answer.text).not.toContain('rel="stylesheet"');
      expect(answer.text).toContain('rel="prefetch" as="style"');
    }
    const login = await visitor().get("/login");
    expect(login.text).toContain('rel="stylesheet"');
    expect(login.text).not.toContain("<style");
    expect(directive(login, "style-src")).toEqual(["'self'"]);
  });
});

test("a price that changes is shown two seconds later at the latest", async () => {
  await keptAnswer("/?service=brio");
  await context.db
    .updateTable("catalogue_items")
    .set({ audience: "For those who read tests" })
    .where("family", "=", "brio")
    .execute();
  await sleep(2_100);
  expect((await visitor().get("/?service=brio")).text).toContain("For those who read tests");
});
