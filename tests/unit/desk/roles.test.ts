/** Permissions of Desk's roles. */
import { expect, test } from "vitest";
import { actionIds } from "#server/desk/actions/action-ids.ts";
import { actions, mayPerform } from "#server/desk/actions/registry.ts";
import { deskPages, maySee, staffRoles } from "#server/desk/roles.ts";

test("permits no action to a viewer", () => {
  expect(actionIds.filter((id) => mayPerform("viewer", id))).toEqual([]);
});

test("permits every action and page to an admin", () => {
  expect(actionIds.filter((id) => !mayPerform("admin", id))).toEqual([]);
  for (const door of Object.keys(deskPages))
    expect(maySee("admin", door as keyof typeof deskPages)).toBe(true);
});

test("limits actions on staff to admins, and those on money to finance and admins", () => {
  const ofPeople = actionIds.filter((id) => id.startsWith("staff."));
  expect(ofPeople.length).toBeGreaterThan(3);
  for (const id of ofPeople) expect(staffRoles.filter((role) => mayPerform(role, id))).toEqual(["admin"]);
  const onPrices = actionIds.filter((id) => id.startsWith("price-list."));
  expect(onPrices.length).toBeGreaterThan(3);
  for (const id of ["order.refund", ...onPrices] as const)
    expect(staffRoles.filter((role) => mayPerform(role, id))).toEqual(["finance", "admin"]);
});

test("requires step-up for actions on money and staff", () => {
  const asking = actionIds.filter((id) => actions[id].needsStepUp);
  expect(asking).toEqual(
    expect.arrayContaining(["order.refund", ...actionIds.filter((id) => /^(?:staff|price-list)\./.test(id))]),
  );
});

test("requires a reason for each action", () => {
  for (const id of actionIds) {
    const refused = actions[id].schema.safeParse({ reason: "  " });
    expect(refused.success, id).toBe(false);
    expect(refused.error?.issues.map(({ path }) => path[0])).toContain("reason");
  }
});
