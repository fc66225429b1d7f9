/**
 * The worker is killed at each call to Microsoft: one customer, one purchase, one subscription, and a displayed password that
 * works.
 */
import { killAtEachCall } from "#tests/support/kill-at-each-call.ts";
import { prepareExistingTenant, prepareNewTenant } from "#tests/support/prepared-order.ts";
import { microsoftCalls } from "./microsoft-calls.ts";

const { faultAt } = microsoftCalls;
const welcome = "Welcome Onboard!";

killAtEachCall({
  calls: microsoftCalls,
  storeAsks: ["check domain"],
  journeys: {
    "new tenant": {
      prepare: prepareNewTenant,
      killedAt: [
        "token",
        "make customer",
        "accept agreement",
        "read availabilities",
        "make cart",
        "check out",
        "make user",
        "read roles",
        "give admin role",
        "read subscription",
      ],
      isWhole: true,
      closure: welcome,
    },
    "existing tenant": {
      prepare: prepareExistingTenant,
      killedAt: [
        "look tenant up",
        "accept agreement",
        "read availabilities",
        "make cart",
        "check out",
        "read subscription",
      ],
      isWhole: true,
      closure: "Get started with your Microsoft 365 subscription",
    },
    // The name of Microsoft's own administrator, whose password is in a single response.
    "new tenant, the provider's own user": {
      prepare: (world) => prepareNewTenant(world, { username: "admin" }),
      killedAt: ["make customer", "accept agreement"],
      closure: welcome,
    },
    // Created without a response, and the provider forgets the request id: the tenant must be found and its password reset.
    "new tenant, made unheard": {
      prepare: (world) => prepareNewTenant(world, { username: "admin" }),
      faults: [
        faultAt("make customer", "reset-after", { times: 1 }),
        faultAt("make customer", "500", { times: 1 }),
      ],
      killedAt: ["check domain", "find customer", "make user", "find user", "set password"],
      // An existing user is refused.
      withoutEffect: ["make user"],
      closure: welcome,
    },
    // Checked out without a response: the repeat is refused, and the order of the submitted cart must be found.
    "new tenant, bought unheard": {
      prepare: prepareNewTenant,
      faults: [faultAt("check out", "reset-after", { times: 1 })],
      killedAt: ["check out", "list orders"],
      withoutEffect: ["check out"],
      closure: welcome,
    },
  },
});
