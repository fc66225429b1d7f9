/** The worker is killed at each call of a cancellation or reduction: the vendor changes once, and the money is refunded once. */
import { callBook, guid } from "#tests/support/calls.ts";
import { killAtEachCall } from "#tests/support/kill-at-each-call.ts";
import { prepareCancellation } from "#tests/support/prepared-cancellation.ts";

const subscription = `^/partner-center/v1/customers/${guid}/subscriptions/${guid}$`;

const calls = {
  token: { method: "POST", path: "^/microsoft-login/[^/]+/oauth2/token$" },
  "read subscription": { method: "GET", path: subscription },
  "change subscription": { method: "PATCH", path: subscription, effect: "subscription.update" },
  refund: { method: "POST", path: "^/razorpay/v1/payments/[^/]+/refund$", effect: "razorpay.refund.create" },
} as const;
const book = callBook<keyof typeof calls>(calls);

/** Text of the order's own page, which does not mention a reduction. */
const added = "License Added";
const cancelled = "Subscription Cancelled";

killAtEachCall({
  calls: book,
  journeys: {
    cancellation: {
      prepare: (world) => prepareCancellation(world, "all"),
      killedAt: ["token", "read subscription", "change subscription", "refund"],
      isWhole: true,
      closure: cancelled,
    },
    "two licenses": {
      prepare: (world) => prepareCancellation(world, "2"),
      killedAt: ["read subscription", "change subscription", "refund"],
      isWhole: true,
      closure: added,
    },
    "cancellation, made unheard": {
      prepare: (world) => prepareCancellation(world, "all"),
      // Killed while it reads the result of the change without a response: the first read is the page's, the second its own.
      faults: [
        book.faultAt("read subscription", "slow", { delayMs: 0, times: 2 }),
        book.faultAt("change subscription", "reset-after", { times: 1 }),
      ],
      killedAt: ["read subscription"],
      closure: cancelled,
    },
    "two licences, taken off unheard": {
      prepare: (world) => prepareCancellation(world, "2"),
      faults: [
        book.faultAt("read subscription", "slow", { delayMs: 0, times: 2 }),
        book.faultAt("change subscription", "reset-after", { times: 1 }),
      ],
      killedAt: ["read subscription"],
      closure: added,
    },
  },
  storeAsks: ["read subscription"],
});
