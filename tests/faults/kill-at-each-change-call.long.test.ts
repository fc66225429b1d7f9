/** The worker is killed at each call that adds seats or renews: the paid seats and the next term exist once. */
import { describe } from "vitest";
import { killAtEachCall } from "#tests/support/kill-at-each-call.ts";
import {
  prepareExtendedRenewal,
  prepareLapsedRenewal,
  prepareMoreSeats,
  prepareMoreSeatsRenewed,
  prepareRenewal,
} from "#tests/support/prepared-change.ts";
import { googleCalls } from "./google-calls.ts";
import { microsoftCalls } from "./microsoft-calls.ts";

const added = "License Added";
const renewed = "License Renewed";

describe("Microsoft", () => {
  const { faultAt } = microsoftCalls;
  /** Lets the change of seats pass, so that the kill happens at the following call. */
  const pastSeats = faultAt("change subscription", "slow", { delayMs: 0, times: 1 });
  killAtEachCall({
    calls: microsoftCalls,
    journeys: {
      "more seats": {
        prepare: (world) => prepareMoreSeats(world, "microsoft"),
        killedAt: ["token", "read subscription", "change subscription"],
        isWhole: true,
        closure: added,
      },
      // Seats first, then the next term's settings, which the first change reset.
      "more seats, renewed": {
        prepare: prepareMoreSeatsRenewed,
        faults: [pastSeats],
        killedAt: ["read availabilities", "change subscription"],
        // The preceding change of seats is the same kind of call.
        withoutEffect: ["change subscription"],
        closure: added,
      },
      renewal: {
        prepare: (world) => prepareRenewal(world, "microsoft"),
        killedAt: ["read subscription", "read availabilities", "change subscription"],
        isWhole: true,
        closure: renewed,
      },
      "renewal of a lapsed one": {
        prepare: (world) => prepareLapsedRenewal(world, "microsoft"),
        killedAt: ["accept agreement", "read availabilities", "make cart", "check out", "read subscription"],
        isWhole: true,
        closure: renewed,
      },
      "renewal of an extended one": {
        prepare: prepareExtendedRenewal,
        killedAt: [
          "accept agreement",
          "read availabilities",
          "make cart",
          "check out",
          "read subscription",
          "change subscription",
        ],
        isWhole: true,
        closure: renewed,
      },
      "more seats, added unheard": {
        prepare: (world) => prepareMoreSeats(world, "microsoft"),
        // Killed while it reads the result of the change without a response, not at its first read.
        faults: [
          faultAt("read subscription", "slow", { delayMs: 0, times: 1 }),
          faultAt("change subscription", "reset-after", { times: 1 }),
        ],
        killedAt: ["read subscription"],
        closure: added,
      },
    },
  });
});

describe("Google", () => {
  const { faultAt } = googleCalls;
  killAtEachCall({
    calls: googleCalls,
    journeys: {
      "more seats": {
        prepare: (world) => prepareMoreSeats(world, "google"),
        killedAt: ["token", "read entitlement", "change seats", "read operation"],
        isWhole: true,
        closure: added,
      },
      renewal: {
        prepare: (world) => prepareRenewal(world, "google"),
        killedAt: ["read entitlement", "change renewal", "read operation"],
        isWhole: true,
        closure: renewed,
      },
      "renewal of a lapsed one": {
        prepare: (world) => prepareLapsedRenewal(world, "google"),
        killedAt: ["read offers", "buy", "read operation", "read entitlement"],
        isWhole: true,
        closure: renewed,
      },
      "more seats, added unheard": {
        prepare: (world) => prepareMoreSeats(world, "google"),
        faults: [faultAt("change seats", "reset-after", { times: 1 })],
        killedAt: ["change seats"],
        // The repeat and the first call are one write.
        withoutEffect: ["change seats"],
        closure: added,
      },
    },
  });
});
