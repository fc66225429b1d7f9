/** Who may do what at the desk, as data. */
import { expect, test } from "vitest";
import { actionIds } from "#server/desk/actions/action-ids.ts";
import { actions, mayPerform } from "#server/desk/actions/registry.ts";
import { deskPages, maySee, staffRoles } from "#server/desk/roles.ts";

test("a viewer may do nothing", () => {
  expect(actionIds.filter((id) => mayPerform("viewer", id))).toEqual([]);
});

test("an admin may do and see everything", () => {
  expect(actionIds.filter((id) => !mayPerform("admin", id))).toEqual([]);
  for (const door of Object.keys(deskPages))
    expect(maySee("admin", door as keyof typeof deskPages)).toBe(true);
});

test("only admins act on people, and only who keeps the money on money", () => {
  const ofPeople = actionIds.filter((id) => id.startsWith("staff."));
  expect(ofPeople.length).toBeGreaterThan(3);
  for (const id of ofPeople) expect(staffRoles.filter((role) => mayPerform(role, id))).toEqual(["admin"]);
  const onPrices = actionIds.filter((id) => id.startsWith("price-list."));
  expect(onPrices.length).toBeGreaterThan(3);
  for (const id of ["order.refund", ...onPrices] as const)
    expect(staffRoles.filter((role) => mayPerform(role, id))).toEqual(["finance", "admin"]);
});

test("acts on money and people ask for the second factor again", () => {
  const asking = actionIds.filter((id) => actions[id].needsStepUp);
  expect(asking).toEqual(
    expect.arrayContaining(["order.refund", ...actionIds.filter((id) => /^(?:staff|price-list)\./.test(id))]),
  );
});

test("each act asks for a reason", () => {
  for (const id of actionIds) {
    const refused = actions[id].schema.safeParse({ reason: "  " });
    expect(refused.success, id).toBe(false);
    expect(refused.error?.issues.map(({ path }) => path[0])).toContain("reason");
  }
});
