/**
 * What vendors announce, over HTTP: a signed notice leads to a refresh of what it names, however late, often and disordered it
 * comes, and whatever it says; a forged one leads to nothing.
 */
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { Browserless } from "#tests/support/browserless.ts";
import { give, type Held, makeCustomer, plantAtProviders } from "#tests/support/customer.ts";
import { writingNothing } from "#tests/support/digest.ts";
import { readSubscription } from "#tests/support/held.ts";
import { signedIn } from "#tests/support/orders.ts";
import { queuedJobs } from "#tests/support/queue.ts";
import { startStore } from "#tests/support/store.ts";

const { stack, context, levers, provider } = await startStore({ worker: true });
const { db } = context;
const families = ["microsoft", "google"] as const;
type Family = (typeof families)[number];

let customer: Awaited<ReturnType<typeof makeCustomer>>;
beforeAll(async () => {
  customer = await makeCustomer(db);
});
afterEach(async () => {
  await levers.notices("normal");
  // A late notice, or a refresh that still runs, would write into the next test.
  const isDue = ({ dueAt }: { dueAt: Date }) => dueAt <= new Date();
  await vi.waitFor(async () => {
    const state = await (await fetch(`${stack.sandboxUrl}/control/state`)).json();
    expect(state.notices.deliveries.filter(({ done }: { done: boolean }) => !done)).toEqual([]);
    expect((await queuedJobs(db)).filter(isDue)).toEqual([]);
  }, 20_000);
});

async function agreed(family: Family): Promise<Held> {
  const held = await give(db, customer, { family });
  await plantAtProviders(db, stack.sandboxUrl, customer);
  return held;
}
const seats = async (held: Held) => (await readSubscription(db, held.id)).quantity;
const becomes = (held: Held, quantity: number) =>
  vi.waitFor(async () => expect(await seats(held)).toBe(quantity), { timeout: 20_000, interval: 200 });
const reads = ({ externalId }: Held) =>
  provider.calls(({ method, path }) => method === "GET" && path.endsWith(externalId));
const page = async () => {
  const browser = await signedIn(context, stack.url, customer.owner);
  return (await browser.get("/subscriptions")).text;
};

describe.each(families)("of %s", (family) => {
  test("a change in the console is read, stored and shown", async () => {
    const held = await agreed(family);
    await levers.console({ id: held.externalId, quantity: 7 });
    await becomes(held, 7);
    expect(await page()).toContain("from 10 licences to 7");
    await levers.console({ id: held.externalId, state: "suspended" });
    await vi.waitFor(async () => expect((await readSubscription(db, held.id)).suspended).toBe(true), 20_000);
    expect(await page()).toContain("has suspended this subscription");
  });

  test("twice, or late and behind a newer one: what is so now is stored", async () => {
    const held = await agreed(family);
    await levers.notices("late", 2_500);
    await levers.console({ id: held.externalId, quantity: 9 });
    await levers.notices("twice");
    await levers.console({ id: held.externalId, quantity: 7 });
    await becomes(held, 7);
    const before = (await reads(held)).length;
    // The late one comes, and is read again: it does not bring back what it was about.
    await vi.waitFor(async () => expect((await reads(held)).length).toBeGreaterThan(before), 20_000);
    expect(await seats(held)).toBe(7);
  });

  test("forged, it is refused with 401, and nothing is asked or written", async () => {
    const held = await agreed(family);
    const about = {
      ResourceUri: `https://x/subscriptions/${held.externalId}`,
      EventName: "subscription-updated",
    };
    const forged: Record<string, string>[] = [
      {},
      { Authorization: "Bearer a.b.c" },
      {
        Authorization: "Signature AAAA",
        "X-MS-Certificate-Url": `${stack.sandboxUrl}/microsoft-certificates/notices.cer`,
        "X-MS-Signature-Algorithm": "rsa-sha256",
      },
      {
        Authorization: "Signature AAAA",
        "X-MS-Certificate-Url": "http://127.0.0.1:9/internal",
        "X-MS-Signature-Algorithm": "rsa-sha256",
      },
    ];
    for (const headers of forged) {
      const answer = await writingNothing(db, () =>
        new Browserless(stack.url).ask(`/webhooks/${family}`, {
          method: "POST",
          headers: { "Content-Type": "application/json", ...headers },
          body: JSON.stringify(about),
        }),
      );
      expect(answer.status).toBe(401);
    }
    expect(await reads(held)).toEqual([]);
  });
});

test("one about what is not known here is acknowledged, so that it does not come again", async () => {
  const held = await agreed("microsoft");
  await db.deleteFrom("subscriptions").where("id", "=", held.id).execute();
  await levers.console({ id: held.externalId, quantity: 7 });
  await vi.waitFor(
    () =>
      expect(
        stack.logs("web").some((line) => line.includes(held.externalId) && line.includes('"queued":false')),
      ).toBe(true),
    20_000,
  );
});

test("a family without a vendor has none", async () => {
  const post = (family: string) => new Browserless(stack.url).ask(`/webhooks/${family}`, { method: "POST" });
  expect((await post("brio")).status).toBe(404);
  expect((await post("nobody")).status).toBe(404);
});
