/**
 * Vendor webhooks: a signed notice triggers a refresh of the subscription it names, even if late, repeated or out of order, and
 * regardless of its content. A forged notice has no effect.
 */
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import {
  type CustomerSubscription,
  createSubscriptionFor,
  makeCustomer,
  seedProviders,
} from "#tests/support/customer.ts";
import { expectNoWrites } from "#tests/support/digest.ts";
import { HttpBrowser } from "#tests/support/http-browser.ts";
import { signedIn } from "#tests/support/orders.ts";
import { queuedJobs } from "#tests/support/queue.ts";
import { startStore } from "#tests/support/store.ts";
import { readSubscription } from "#tests/support/subscriptions.ts";
import { eventually } from "#tests/support/until.ts";

const { stack, context, controls, provider } = await startStore({ worker: true });
const { db } = context;
const families = ["microsoft", "google"] as const;
type Family = (typeof families)[number];

let customer: Awaited<ReturnType<typeof makeCustomer>>;
beforeAll(async () => {
  customer = await makeCustomer(db);
});
afterEach(async () => {
  await controls.notices("normal");
  // A late notice or a running refresh would write into the next test.
  const isDue = ({ dueAt }: { dueAt: Date }) => dueAt <= new Date();
  await eventually(async () => {
    const state = await (await fetch(`${stack.sandboxUrl}/control/state`)).json();
    expect(state.notices.deliveries.filter(({ done }: { done: boolean }) => !done)).toEqual([]);
    expect((await queuedJobs(db)).filter(isDue)).toEqual([]);
  });
});

async function agreed(family: Family): Promise<CustomerSubscription> {
  const held = await createSubscriptionFor(db, customer, { family });
  await seedProviders(db, stack.sandboxUrl, customer);
  return held;
}
const seats = async (held: CustomerSubscription) => (await readSubscription(db, held.id)).quantity;
const becomes = (held: CustomerSubscription, quantity: number) =>
  eventually(async () => expect(await seats(held)).toBe(quantity));
const reads = ({ externalId }: CustomerSubscription) =>
  provider.calls(({ method, path }) => method === "GET" && path.endsWith(externalId));
const page = async () => {
  const browser = await signedIn(context, stack.url, customer.owner);
  return (await browser.get("/subscriptions")).text;
};

describe.each(families)("a notice from %s", (family) => {
  test("updates and shows a change made in the console", async () => {
    const held = await agreed(family);
    await controls.console({ id: held.externalId, quantity: 7 });
    await becomes(held, 7);
    expect(await page()).toContain("from 10 licenses to 7");
    await controls.console({ id: held.externalId, state: "suspended" });
    await eventually(async () => expect((await readSubscription(db, held.id)).suspended).toBe(true));
    expect(await page()).toContain("has suspended this subscription");
  });

  test("results in the current state when repeated or out of order", async () => {
    const held = await agreed(family);
    await controls.notices("late", 2_500);
    await controls.console({ id: held.externalId, quantity: 9 });
    await controls.notices("twice");
    await controls.console({ id: held.externalId, quantity: 7 });
    await becomes(held, 7);
    const before = (await reads(held)).length;
    // The late notice triggers another read but does not restore the old quantity.
    await eventually(async () => expect((await reads(held)).length).toBeGreaterThan(before));
    expect(await seats(held)).toBe(7);
  });

  test("returns 401 when forged, without calls or writes", async () => {
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
      const answer = await expectNoWrites(db, () =>
        new HttpBrowser(stack.url).ask(`/webhooks/${family}`, {
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

test("acknowledges a notice about an unknown subscription to prevent retries", async () => {
  const held = await agreed("microsoft");
  await db.deleteFrom("subscriptions").where("id", "=", held.id).execute();
  await controls.console({ id: held.externalId, quantity: 7 });
  await eventually(() =>
    expect(
      stack.logs("web").some((line) => line.includes(held.externalId) && line.includes('"queued":false')),
    ).toBe(true),
  );
});

test("returns 404 for a family without a vendor", async () => {
  const post = (family: string) => new HttpBrowser(stack.url).ask(`/webhooks/${family}`, { method: "POST" });
  expect((await post("brio")).status).toBe(404);
  expect((await post("nobody")).status).toBe(404);
});
