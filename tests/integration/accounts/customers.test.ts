import { beforeAll, describe, expect, it } from "vitest";
import { type AddressId, type CustomerId, newId, type UserId } from "#db/ids.ts";
import {
  addAddress,
  addMember,
  buyingRoles,
  createCustomer,
  findCustomer,
  findMembership,
  getAddress,
  listAddresses,
  listMemberships,
  requireMember,
} from "#server/accounts/customers.ts";
import { createTestDatabase } from "#tests/support/database.ts";
import { address, somebody } from "./people.ts";

let owner: UserId;
let viewer: UserId;
let stranger: UserId;
let company: CustomerId;

const test = await createTestDatabase();
beforeAll(async () => {
  [owner, viewer, stranger] = [
    (await somebody(test.db)).id,
    (await somebody(test.db)).id,
    (await somebody(test.db)).id,
  ];
  company = await test.db.transaction().execute(async (trx) => {
    const id = await createCustomer(trx, { name: " Bright Orchard ", country: "IN", ownerId: owner });
    await addMember(trx, { customerId: id, userId: viewer, role: "viewer", by: owner });
    return id;
  });
});

describe("a company", () => {
  it("lists its creator as owner", async () => {
    const membership = { id: company, name: "Bright Orchard", country: "IN", role: "owner" };
    expect(await findMembership(test.db, owner, company)).toEqual(membership);
    expect(await listMemberships(test.db, owner)).toEqual([membership]);
    expect(await findCustomer(test.db, company)).toEqual({
      id: company,
      name: "Bright Orchard",
      country: "IN",
    });
    expect(await listMemberships(test.db, stranger)).toEqual([]);
  });

  it("opens to members by role and does not exist for others", async () => {
    expect((await requireMember(test.db, viewer, company)).role).toBe("viewer");
    expect((await requireMember(test.db, owner, company, buyingRoles)).role).toBe("owner");
    await expect(requireMember(test.db, viewer, company, buyingRoles)).rejects.toMatchObject({
      code: "forbidden",
      message: "Only an owner or buyer of Bright Orchard can do this.",
    });
    await expect(requireMember(test.db, stranger, company)).rejects.toMatchObject({ code: "not_found" });
    await expect(requireMember(test.db, owner, newId())).rejects.toMatchObject({ code: "not_found" });
  });

  it("changes a member's role", async () => {
    const { id } = await somebody(test.db);
    for (const role of ["viewer", "buyer"] as const) {
      await test.db
        .transaction()
        .execute((trx) => addMember(trx, { customerId: company, userId: id, role, by: owner }));
    }
    expect((await findMembership(test.db, id, company))?.role).toBe("buyer");
  });
});

describe("the address book", () => {
  const save = (fields = address, customerId = company) =>
    test.db.transaction().execute((trx) => addAddress(trx, customerId, fields));

  it("stores each address once, as entered", async () => {
    const saved = await save();
    expect(saved).toEqual({ ...address, id: saved.id });
    expect(await save()).toEqual(saved);
    const unregistered = await save({ ...address, gstCode: null });
    expect((await listAddresses(test.db, company)).map(({ id }) => id)).toEqual([unregistered.id, saved.id]);
    expect(await getAddress(test.db, company, saved.id)).toEqual(saved);
  });

  it("hides addresses of other companies", async () => {
    const other = await test.db
      .transaction()
      .execute((trx) => createCustomer(trx, { name: "Other", country: "US", ownerId: stranger }));
    const theirs = await save({ ...address, country: "US" }, other);
    await expect(getAddress(test.db, company, theirs.id)).rejects.toMatchObject({ code: "not_found" });
    await expect(getAddress(test.db, company, newId<AddressId>())).rejects.toMatchObject({
      code: "not_found",
    });
    expect(await listAddresses(test.db, other)).toEqual([theirs]);
  });
});
