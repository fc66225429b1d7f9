/**
 * Nothing that needs a person is without a way to its end at the desk: every kind of waiting item, and every refusal of a vendor's that
 * stops an order. A kind that is new is refused by the compiler, a refusal that is new by a test.
 */
import { describe, expect, test } from "vitest";
import { waitingKinds } from "#db/waiting.ts";
import { type ActId, actIds } from "#server/desk/acts/ids.ts";
import { acts } from "#server/desk/acts/registry.ts";
import { kinds } from "#server/desk/waiting.ts";
import { googleRefusals } from "#server/families/google/refusals.ts";
import { microsoftRefusals } from "#server/families/microsoft/refusals.ts";
import type { Verdict } from "#server/families/refusals.ts";

describe.each(waitingKinds)("%s", (kind) => {
  const { acts: own, orderActs, endsItself, toDo } = kinds[kind];

  test("has a way to its end", () => {
    expect(own.length + orderActs.length + (endsItself === null ? 0 : 1)).toBeGreaterThan(0);
    expect(toDo).toMatch(/[.]$/);
    if (endsItself !== null) expect(endsItself).toMatch(/[.]$/);
  });

  test("leads to acts that are about it, or about its order", () => {
    const expected: Readonly<Record<string, string>> = {
      "vendor-pause": "vendor pause",
      "password-mail": "suppression",
      mail: "mail",
      cancellation: "cancellation",
      difference: "difference",
    };
    for (const { id } of own) expect(acts[id].subject, id).toBe(id === "item.done" ? "item" : expected[kind]);
    for (const id of orderActs) expect(acts[id].subject, id).toBe("order");
  });
});

/** By which acts an order ends that a vendor's refusal of each class has stopped; "passes" stops it when its patience is over. */
const endings: Readonly<Record<Verdict["class"], readonly ActId[]>> = {
  passes: ["order.retry", "order.mark-done", "order.refund"],
  buyer: ["order.refund"],
  person: ["order.retry", "order.mark-done", "order.refund"],
  out: ["vendor.probe"],
};

/** What of the buyer's answers a refusal is about, and the act that changes it; none where only money can go back. */
const mends: Readonly<Record<string, readonly ActId[]>> = {
  "tenant lost": ["order.move"],
  "review refused": [],
  "registration number": ["order.address"],
  "phone number": ["order.contact"],
  quantity: [],
  "base missing": [],
};

const rows = [...microsoftRefusals, ...googleRefusals];

test("every refusal that stops an order has acts that end it", () => {
  for (const { name, verdict } of rows) {
    expect(endings[verdict.class].length, name).toBeGreaterThan(0);
    for (const id of endings[verdict.class]) expect(actIds).toContain(id);
  }
});

test("every refusal of what the buyer has answered says what mends it", () => {
  const ofBuyer = rows.filter(({ verdict }) => verdict.class === "buyer").map(({ name }) => name);
  expect(Object.keys(mends).toSorted()).toEqual(ofBuyer.toSorted());
  const ofStopped: readonly ActId[] = kinds["stopped-order"].orderActs;
  for (const id of Object.values(mends).flat()) expect(ofStopped).toContain(id);
});

test("what ends a stopped order is offered for it", () => {
  const ofStopped: readonly ActId[] = kinds["stopped-order"].orderActs;
  for (const id of [...endings.passes, ...endings.buyer, ...endings.person]) expect(ofStopped).toContain(id);
});
