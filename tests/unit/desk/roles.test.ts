/** Who may do what at the desk, as data. */
import { expect, test } from "vitest";
import { actIds } from "#server/desk/acts/ids.ts";
import { acts, mayAct } from "#server/desk/acts/registry.ts";
import { doors, maySee, staffRoles } from "#server/desk/roles.ts";

test("a viewer may do nothing", () => {
  expect(actIds.filter((id) => mayAct("viewer", id))).toEqual([]);
});

test("an admin may do and see everything", () => {
  expect(actIds.filter((id) => !mayAct("admin", id))).toEqual([]);
  for (const door of Object.keys(doors)) expect(maySee("admin", door as keyof typeof doors)).toBe(true);
});

test("only admins act on people, and only who keeps the money on money", () => {
  const ofPeople = actIds.filter((id) => id.startsWith("staff."));
  expect(ofPeople.length).toBeGreaterThan(3);
  for (const id of ofPeople) expect(staffRoles.filter((role) => mayAct(role, id))).toEqual(["admin"]);
  const onPrices = actIds.filter((id) => id.startsWith("price-list."));
  expect(onPrices.length).toBeGreaterThan(3);
  for (const id of ["order.refund", ...onPrices] as const)
    expect(staffRoles.filter((role) => mayAct(role, id))).toEqual(["finance", "admin"]);
});

test("acts on money and people ask for the second factor again", () => {
  const asking = actIds.filter((id) => acts[id].needsStepUp);
  expect(asking).toEqual(
    expect.arrayContaining(["order.refund", ...actIds.filter((id) => /^(?:staff|price-list)\./.test(id))]),
  );
});

test("each act asks for a reason", () => {
  for (const id of actIds) {
    const refused = acts[id].schema.safeParse({ reason: "  " });
    expect(refused.success, id).toBe(false);
    expect(refused.error?.issues.map(({ path }) => path[0])).toContain("reason");
  }
});
