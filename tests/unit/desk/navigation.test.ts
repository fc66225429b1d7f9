/** Desk's side bar: contains every page with a label, in its group, for the roles that can open it. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { linksFor } from "#app/desk/navigation.ts";
import { type DeskPageId, deskPages, maySee, staffRoles } from "#server/desk/roles.ts";

const named = Object.entries(deskPages).flatMap(([id, { navigationLabel }]) =>
  id in deskPages && navigationLabel !== null ? [{ id: id as DeskPageId, navigationLabel }] : [],
);

test.each(staffRoles)("leads a %s to every page that the role opens, and to no other", (role) => {
  const expected = named
    .filter(({ id }) => maySee(role, id))
    .flatMap(({ id, navigationLabel }) =>
      id === "money" ? [navigationLabel, "Discrepancies"] : [navigationLabel],
    );
  expect(linksFor(role, "queue", null).map(({ label }) => label)).toEqual(expected);
});

test("starts with the pages of a phone's tabs", () => {
  for (const role of staffRoles)
    expect(
      linksFor(role, "queue", null)
        .slice(0, 2)
        .map(({ label }) => label),
    ).toEqual(["Needs attention", "Orders"]);
});

test("draws only icons that exist", () => {
  const drawn = readFileSync("public/icons.svg", "utf8");
  for (const { icon } of linksFor("admin", "queue", null)) expect(drawn).toContain(`id="${icon}"`);
});

test("counts only the queue, and marks the section of the page", () => {
  const links = linksFor("admin", "order", "7");
  expect(links.filter(({ count }) => count !== null).map(({ label, count }) => [label, count])).toEqual([
    ["Needs attention", "7"],
  ]);
  expect(links.filter(({ current }) => current !== null)).toMatchObject([
    { label: "Orders", current: "section" },
  ]);
});
