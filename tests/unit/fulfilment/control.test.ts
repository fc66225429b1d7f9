/** Sign-ins at Microsoft that prove control of a tenant. */
import { expect, test } from "vitest";
import { administrator as rules } from "#server/catalogue/families/microsoft/administrator.ts";
import type { EntraPerson } from "#server/integrations/entra.ts";

const tenantId = "11111111-1111-4111-8111-111111111111";
const globalAdministrator = "62e90394-69f5-4237-9190-012177145e10";
const everyMember = "b79fbf4d-3ef9-4689-8143-76b194e85509";
const now = new Date("2026-11-22T12:00:00Z");

const administrator: EntraPerson = {
  tenantId,
  objectId: "22222222-2222-4222-8222-222222222222",
  isPersonal: false,
  membership: "member",
  roles: [globalAdministrator, everyMember],
  authenticatedAt: new Date("2026-11-22T11:50:00Z"),
};
const judge = (changes: Partial<EntraPerson>) =>
  rules.judge({ ...administrator, ...changes }, { tenantId, roles: [globalAdministrator], now });

test("accepts a member of the tenant with an accepted role and a fresh sign-in", () => {
  expect(judge({})).toEqual({ role: globalAdministrator });
});

test.each<[string, Partial<EntraPerson>, string]>([
  ["a personal account", { isPersonal: true }, "personal"],
  ["another tenant", { tenantId: "33333333-3333-4333-8333-333333333333" }, "other-tenant"],
  ["a guest, though an administrator", { membership: "guest" }, "guest"],
  ["a person of unknown membership", { membership: "unknown" }, "not-told"],
  ["a person with unknown roles", { roles: null }, "not-told"],
  ["the role that every member has", { roles: [everyMember] }, "not-administrator"],
  ["no role", { roles: [] }, "not-administrator"],
  ["a password given 16 minutes ago", { authenticatedAt: new Date("2026-11-22T11:44:00Z") }, "stale"],
])("refuses %s", (_who, changes, refused) => {
  expect(judge(changes)).toEqual({ refused });
});

test("accepts a password entered 15 minutes ago", () => {
  expect(judge({ authenticatedAt: new Date("2026-11-22T11:45:00Z") })).toEqual({ role: globalAdministrator });
});
