/** The worker is killed at each call to Google: one customer, one entitlement with the paid seats, and one administrator. */
import { killAtEachCall } from "#tests/support/kill-at-each-call.ts";
import { prepareGoogleSignUp, prepareTransfer } from "#tests/support/prepared-order.ts";
import { googleCalls } from "./google-calls.ts";

const { faultAt } = googleCalls;
const welcome = "Welcome Onboard!";
const moved = "Your Google account and its plans have moved to us.";
/** Lets one operation be read, so that the kill happens at the next. */
const pastFirstOperation = faultAt("read operation", "slow", { delayMs: 0, times: 1 });

killAtEachCall({
  calls: googleCalls,
  journeys: {
    "new sign-up": {
      prepare: prepareGoogleSignUp,
      killedAt: [
        "token",
        "make customer",
        "provision",
        "read operation",
        "find user",
        "set password",
        "make admin",
        "read offers",
        "buy",
        "read entitlement",
      ],
      isWhole: true,
      closure: welcome,
    },
    "new sign-up, at its second operation": {
      prepare: prepareGoogleSignUp,
      faults: [pastFirstOperation],
      killedAt: ["read operation"],
      closure: welcome,
    },
    // Neither call has a request id, so the store must find what it created.
    "new sign-up, customer made unheard": {
      prepare: prepareGoogleSignUp,
      faults: [faultAt("make customer", "reset-after", { times: 1 })],
      killedAt: ["find customer"],
      closure: welcome,
    },
    "new sign-up, provisioned unheard": {
      prepare: prepareGoogleSignUp,
      faults: [faultAt("provision", "reset-after", { times: 1 })],
      killedAt: ["look customer up"],
      closure: welcome,
    },
    "new sign-up, its administrator not seen at once": {
      prepare: prepareGoogleSignUp,
      faults: [faultAt("find user", "404", { times: 1 })],
      killedAt: ["make user", "set password"],
      // Provisioning has created it.
      withoutEffect: ["make user"],
      closure: welcome,
    },
    transfer: {
      prepare: prepareTransfer,
      killedAt: [
        "check domain",
        "read transferable plans",
        "read transferable offers",
        "import customer",
        "transfer",
        "read operation",
        "read entitlement",
      ],
      isWhole: true,
      closure: moved,
    },
    "transfer of an account without a subscription": {
      prepare: (world) => prepareTransfer(world, { skus: [] }),
      killedAt: ["read offers", "buy", "read operation"],
      closure: moved,
    },
  },
});
