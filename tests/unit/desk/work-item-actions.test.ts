/**
 * Staff can end everything that needs attention: every kind of work item, and every vendor refusal that stops an order. The
 * compiler
 * demands this of a new kind, and this test of a new refusal.
 */
import { describe, expect, test } from "vitest";
import { workItemKinds } from "#db/desk/work-queue.ts";
import type { ErrorVerdict } from "#server/catalogue/families/error-policies.ts";
import { googleErrorRules } from "#server/catalogue/families/google/error-rules.ts";
import { microsoftRefusals } from "#server/catalogue/families/microsoft/refusals.ts";
import { type ActionId, actionIds } from "#server/desk/actions/action-ids.ts";
import { actions } from "#server/desk/actions/registry.ts";
import { workItemKindDetails } from "#server/desk/work-item-kinds.ts";

describe.each(workItemKinds)("%s", (kind) => {
  const { acts: own, orderActs, endsItself, toDo } = workItemKindDetails[kind];

  test("ends by an action or automatically", () => {
    expect(own.length + orderActs.length + (endsItself === null ? 0 : 1)).toBeGreaterThan(0);
    expect(toDo).toMatch(/[.]$/);
    if (endsItself !== null) expect(endsItself).toMatch(/[.]$/);
  });

  test("offers actions on itself or on its order", () => {
    const expected: Readonly<Record<string, string>> = {
      "vendor-pause": "vendor pause",
      "password-mail": "suppression",
      mail: "mail",
      cancellation: "cancellation",
      difference: "difference",
      document: "document",
    };
    for (const { id } of own)
      expect(actions[id].subject, id).toBe(id === "item.done" ? "item" : expected[kind]);
    for (const id of orderActs) expect(actions[id].subject, id).toBe("order");
  });
});

/** Actions that end an order after a vendor refusal of each class; "retry" stops an order after its last retry. */
const endings: Readonly<Record<ErrorVerdict["action"], readonly ActionId[]>> = {
  retry: ["order.retry", "order.mark-done", "order.refund"],
  "ask-buyer": ["order.refund"],
  "needs-attention": ["order.retry", "order.mark-done", "order.refund"],
  "pause-vendor": ["vendor.probe"],
};

/** Actions that correct the buyer's answer that a refusal concerns; none if only a refund helps. */
const corrections: Readonly<Record<string, readonly ActionId[]>> = {
  "tenant lost": ["order.move"],
  "review refused": [],
  "registration number": ["order.address"],
  "phone number": ["order.contact"],
  quantity: [],
  "base missing": [],
};

const rows = [...microsoftRefusals, ...googleErrorRules];

test("names actions that end the order for every refusal that stops one", () => {
  for (const { name, verdict } of rows) {
    expect(endings[verdict.action].length, name).toBeGreaterThan(0);
    for (const id of endings[verdict.action]) expect(actionIds).toContain(id);
  }
});

test("names the correction for every refusal of a buyer's answer", () => {
  const ofBuyer = rows.filter(({ verdict }) => verdict.action === "ask-buyer").map(({ name }) => name);
  expect(Object.keys(corrections).toSorted()).toEqual(ofBuyer.toSorted());
  const ofStopped: readonly ActionId[] = workItemKindDetails["stopped-order"].orderActs;
  for (const id of Object.values(corrections).flat()) expect(ofStopped).toContain(id);
});

test("offers stopped orders every action that ends them", () => {
  const ofStopped: readonly ActionId[] = workItemKindDetails["stopped-order"].orderActs;
  for (const id of [...endings.retry, ...endings["ask-buyer"], ...endings["needs-attention"]])
    expect(ofStopped).toContain(id);
});
