import { describe, expect, it } from "vitest";
import { clearRateLimit, consumeRateLimit, refundRateLimit } from "#server/foundation/security/rate-limit.ts";
import { createTestDatabase } from "#tests/support/database.ts";

const test = await createTestDatabase();

const at = (time: string) => new Date(`2026-03-01T${time}Z`);
const rate = (key: string, now: Date, limit = 2) => ({ name: "test", key, limit, windowSeconds: 900, now });

describe("consumeRateLimit", () => {
  it("refuses calls over the limit until the window ends and reports when that is", async () => {
    const consume = (now: Date) => consumeRateLimit(test.db, rate("a", now));
    await consume(at("10:01:00"));
    await consume(at("10:02:00"));
    await expect(consume(at("10:03:00"))).rejects.toMatchObject({
      code: "rate_limited",
      status: 429,
      retryAfterSeconds: 780,
      message: "Too many attempts. Please try again in 13 minutes.",
    });
    await expect(consume(at("10:15:20"))).rejects.toThrow("try again in 40 seconds.");
    await expect(consume(at("10:15:59"))).rejects.toThrow("try again in 1 second.");
    await expect(consume(at("10:15:59.900"))).rejects.toMatchObject({ retryAfterSeconds: 1 });
    await consume(at("10:16:00"));
  });

  it("starts the window with the first attempt, so none allows twice the limit", async () => {
    const consume = (time: string) => consumeRateLimit(test.db, rate("window", at(time)));
    await consume("10:14:59");
    await consume("10:15:01");
    await expect(consume("10:29:58")).rejects.toThrow("try again in 1 second.");
    await consume("10:29:59");
    await consume("10:30:00");
    await expect(consume("10:44:58")).rejects.toThrow("try again in 1 second.");
  });

  it("refunds nothing to a window that a later one replaced", async () => {
    const consume = (time: string) => consumeRateLimit(test.db, rate("refund", at(time), 1));
    await consume("10:00:00");
    await consume("10:15:00");
    await refundRateLimit(test.db, rate("refund", at("10:00:00"), 1));
    await expect(consume("10:16:00")).rejects.toMatchObject({ code: "rate_limited" });
  });

  it("counts each key and each name separately", async () => {
    const now = at("11:00:00");
    await consumeRateLimit(test.db, rate("b", now, 1));
    await consumeRateLimit(test.db, rate("c", now, 1));
    await consumeRateLimit(test.db, { ...rate("b", now, 1), name: "other" });
    await expect(consumeRateLimit(test.db, rate("b", now, 1))).rejects.toMatchObject({
      code: "rate_limited",
    });
  });

  it("allows exactly the limit for concurrent calls", async () => {
    const all = await Promise.allSettled(
      Array.from({ length: 30 }, () => consumeRateLimit(test.db, rate("d", at("12:00:00"), 7))),
    );
    expect(all.filter((result) => result.status === "fulfilled")).toHaveLength(7);
  });

  it("refunds one attempt or all, never below zero", async () => {
    const now = at("13:00:00");
    await refundRateLimit(test.db, rate("e", now, 1));
    await consumeRateLimit(test.db, rate("e", now, 1));
    await refundRateLimit(test.db, rate("e", now, 1));
    await refundRateLimit(test.db, rate("e", now, 1));
    await consumeRateLimit(test.db, rate("e", now, 1));
    await expect(consumeRateLimit(test.db, rate("e", now, 1))).rejects.toMatchObject({
      code: "rate_limited",
    });
    await clearRateLimit(test.db, rate("e", now));
    await consumeRateLimit(test.db, rate("e", now, 1));
  });
});
