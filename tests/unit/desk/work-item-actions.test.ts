/**
 * Nothing that needs a person is without a way to its end at the desk: every kind of work item, and every refusal of a vendor's that
 * stops an order. A kind that is new is refused by the compiler, a refusal that is new by a test.
 */
import { describe, expect, test } from "vitest";
import { workItemKinds } from "#db/work-queue.ts";
import { type ActionId, actionIds } from "#server/desk/actions/action-ids.ts";
import { actions } from "#server/desk/actions/registry.ts";
import { workItemKindDetails } from "#server/desk/work-queue.ts";
import type { ErrorVerdict } from "#server/families/error-policies.ts";
import { googleErrorRules } from "#server/families/google/error-rules.ts";
import { microsoftRefusals } from "#server/families/microsoft/refusals.ts";

describe.each(workItemKinds)("%s", (kind) => {
  const { acts: own, orderActs, endsItself, toDo } = workItemKindDetails[kind];

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
    for (const { id } of own)
      expect(actions[id].subject, id).toBe(id === "item.done" ? "item" : expected[kind]);
    for (const id of orderActs) expect(actions[id].subject, id).toBe("order");
  });
});

/** By which acts an order ends that a vendor's refusal of each class has stopped; "retry" stops it when its retries are used up. */
const endings: Readonly<Record<ErrorVerdict["action"], readonly ActionId[]>> = {
  retry: ["order.retry", "order.mark-done", "order.refund"],
  "ask-buyer": ["order.refund"],
  "needs-attention": ["order.retry", "order.mark-done", "order.refund"],
  "pause-vendor": ["vendor.probe"],
};

/** What of the buyer's answers a refusal is about, and the act that changes it; none where only money can go back. */
const mends: Readonly<Record<string, readonly ActionId[]>> = {
  "tenant lost": ["order.move"],
  "review refused": [],
  "registration number": ["order.address"],
  "phone number": ["order.contact"],
  quantity: [],
  "base missing": [],
};

const rows = [...microsoftRefusals, ...googleErrorRules];

test("every refusal that stops an order has acts that end it", () => {
  for (const { name, verdict } of rows) {
    expect(endings[verdict.action].length, name).toBeGreaterThan(0);
    for (const id of endings[verdict.action]) expect(actionIds).toContain(id);
  }
});

test("every refusal of what the buyer has answered says what mends it", () => {
  const ofBuyer = rows.filter(({ verdict }) => verdict.action === "ask-buyer").map(({ name }) => name);
  expect(Object.keys(mends).toSorted()).toEqual(ofBuyer.toSorted());
  const ofStopped: readonly ActionId[] = workItemKindDetails["stopped-order"].orderActs;
  for (const id of Object.values(mends).flat()) expect(ofStopped).toContain(id);
});

test("what ends a stopped order is offered for it", () => {
  const ofStopped: readonly ActionId[] = workItemKindDetails["stopped-order"].orderActs;
  for (const id of [...endings.retry, ...endings["ask-buyer"], ...endings["needs-attention"]])
    expect(ofStopped).toContain(id);
});
