/** Which sign-in at Microsoft is enough to say that an order goes into a tenant. */
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

test("a member with an accepted role, of this tenant, of a moment ago", () => {
  expect(judge({})).toEqual({ role: globalAdministrator });
});

test.each<[string, Partial<EntraPerson>, string]>([
  ["a personal account, whatever it says", { isPersonal: true }, "personal"],
  ["another tenant", { tenantId: "33333333-3333-4333-8333-333333333333" }, "other-tenant"],
  ["a guest, though an administrator", { membership: "guest" }, "guest"],
  ["one of whom it is not said whether they are a guest", { membership: "unknown" }, "not-told"],
  ["one whose roles nobody tells", { roles: null }, "not-told"],
  ["the role that every member has", { roles: [everyMember] }, "not-administrator"],
  ["no role", { roles: [] }, "not-administrator"],
  ["a password given 16 minutes ago", { authenticatedAt: new Date("2026-11-22T11:44:00Z") }, "stale"],
])("%s is refused", (_who, changes, refused) => {
  expect(judge(changes)).toEqual({ refused });
});

test("a password given 15 minutes ago is just in time", () => {
  expect(judge({ authenticatedAt: new Date("2026-11-22T11:45:00Z") })).toEqual({ role: globalAdministrator });
});
