/** The order lifecycle (docs/specification.md, section 4.1): allowed and refused stage changes, and concurrent changes. */
import { describe, expect, test } from "vitest";
import type { FamilyId, OrderKind, Stage } from "#db/tables/enums.ts";
import { DomainError } from "#server/foundation/errors.ts";
import { findOrder, lockOrder } from "#server/orders/find.ts";
import {
  fulfilmentAfterPayment,
  furthestStage,
  hasReached,
  moveOrder,
} from "#server/orders/order-lifecycle.ts";
import { createTestDatabase } from "#tests/support/database.ts";
import { makeOrder, readOrder } from "#tests/support/orders.ts";

const { db } = await createTestDatabase();

const stages: readonly Stage[] = ["none", "stage1", "stage2", "stage3", "stage4"];
/** Rules of the table in docs/specification.md, section 4.1: the same stage or the next; never back, never over one. */
const isAllowed = (from: Stage, to: Stage) => [0, 1].includes(stages.indexOf(to) - stages.indexOf(from));
const pairs = stages.flatMap((from) => stages.map((to) => ({ from, to })));

describe("moving an order", () => {
  test.each(pairs.filter(({ from, to }) => isAllowed(from, to)))(
    "allows $from to $to",
    async ({ from, to }) => {
      const id = await makeOrder(db, {}, { stage: from });
      const before = await readOrder(db, id);
      await db.transaction().execute(async (trx) => moveOrder(trx, await lockOrder(trx, id), { stage: to }));
      const after = await readOrder(db, id);
      expect(after).toMatchObject({ stage: to, version: before.version + 1 });
      expect(after.updated_at.getTime()).toBeGreaterThanOrEqual(before.updated_at.getTime());
    },
  );

  test.each(pairs.filter(({ from, to }) => !isAllowed(from, to)))(
    "refuses $from to $to",
    async ({ from, to }) => {
      const id = await makeOrder(db, {}, { stage: from });
      const before = await readOrder(db, id);
      const move = db
        .transaction()
        .execute(async (trx) => moveOrder(trx, await lockOrder(trx, id), { stage: to }));
      await expect(move).rejects.toThrow(RangeError);
      expect(await readOrder(db, id)).toEqual(before);
    },
  );

  test.each(["TUP", "ADDON"] as const)("skips the account for a customer's order (%s)", async (kind) => {
    const id = await makeOrder(db, {}, { kind, stage: "stage1" });
    await db
      .transaction()
      .execute(async (trx) => moveOrder(trx, await lockOrder(trx, id), { stage: "stage3" }));
    expect(await readOrder(db, id)).toMatchObject({ stage: "stage3" });
  });

  test("keeps the stage if none is given", async () => {
    const id = await makeOrder(db, {}, { stage: "stage3" });
    await db
      .transaction()
      .execute(async (trx) => moveOrder(trx, await lockOrder(trx, id), { fulfilmentStatus: "running" }));
    expect(await readOrder(db, id)).toMatchObject({ stage: "stage3", fulfilment_status: "running" });
  });
});

describe("concurrent changes of the same version", () => {
  test("lets one win, and throws a conflict for the others", async () => {
    for (let round = 0; round < 5; round += 1) {
      const id = await makeOrder(db);
      const read = await findOrder(db, id);
      if (read === null) throw new Error("Order not found");
      const racers = await Promise.allSettled(
        ["first", "second", "third"].map((name) =>
          db.transaction().execute(async (trx) => {
            await moveOrder(trx, read, { stage: "stage2", details: { addressId: name } });
            return name;
          }),
        ),
      );
      const winners = racers.flatMap((racer) => (racer.status === "fulfilled" ? [racer.value] : []));
      const reasons = racers.flatMap((racer) => (racer.status === "rejected" ? [racer.reason] : []));
      expect(winners).toHaveLength(1);
      expect(reasons).toHaveLength(2);
      for (const reason of reasons) {
        expect(reason).toBeInstanceOf(DomainError);
        expect(reason).toMatchObject({ code: "conflict", status: 409 });
      }
      expect(await readOrder(db, id)).toMatchObject({
        version: read.version + 1,
        details: { addressId: winners[0] },
      });
    }
  });

  test("rolls back other writes of the loser", async () => {
    const id = await makeOrder(db);
    const read = await findOrder(db, id);
    if (read === null) throw new Error("Order not found");
    await db.transaction().execute((trx) => moveOrder(trx, read, { stage: "stage2" }));
    const late = db.transaction().execute(async (trx) => {
      await trx.updateTable("order_lines").set({ quantity: 99 }).where("order_id", "=", id).execute();
      await moveOrder(trx, read, { stage: "stage2" });
    });
    await expect(late).rejects.toThrow("changed in another window");
    const line = await db.selectFrom("order_lines").select("quantity").where("order_id", "=", id).execute();
    expect(line).toEqual([{ quantity: 2 }]);
  });
});

test("returns the later of two stages", () => {
  for (const { from, to } of pairs) {
    const later = stages.indexOf(from) >= stages.indexOf(to) ? from : to;
    expect(furthestStage(from, to)).toBe(later);
    expect(hasReached(from, to)).toBe(later === from);
  }
});

test("waits for sign-in details only for a new purchase into an outside tenant", () => {
  const kinds: readonly OrderKind[] = ["NEW", "TUP", "ADDON", "ADD", "RENEW"];
  const families: readonly FamilyId[] = ["microsoft", "google", "brio"];
  const waiting = kinds.flatMap((kind) =>
    families
      .filter((family) => fulfilmentAfterPayment({ kind, family, signIn: null }) === "waiting_for_signin")
      .map((family) => `${kind} ${family}`),
  );
  expect(waiting).toEqual(["NEW microsoft", "NEW google"]);
  const facts = { kind: "NEW", family: "google", signIn: { mode: "google-transfer" } } as const;
  expect(fulfilmentAfterPayment(facts)).toBe("queued");
});
