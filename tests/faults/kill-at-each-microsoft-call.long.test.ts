/** A worker killed at any call to Microsoft: one customer, one purchase, one subscription, and the password shown opens the account. */
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
    // The name that Microsoft gives its own administrator: the password is in one answer only.
    "new tenant, the provider's own user": {
      prepare: (world) => prepareNewTenant(world, { username: "admin" }),
      killedAt: ["make customer", "accept agreement"],
      closure: welcome,
    },
    // Made, but never told, and the provider forgets the request id: the tenant must be found again and its password set.
    "new tenant, made unheard": {
      prepare: (world) => prepareNewTenant(world, { username: "admin" }),
      faults: [
        faultAt("make customer", "reset-after", { times: 1 }),
        faultAt("make customer", "500", { times: 1 }),
      ],
      killedAt: ["check domain", "find customer", "make user", "find user", "set password"],
      // A user that is there already is refused.
      withoutEffect: ["make user"],
      closure: welcome,
    },
    // Checked out, but never told: the repeat is refused, and the order of the submitted cart must be found.
    "new tenant, bought unheard": {
      prepare: prepareNewTenant,
      faults: [faultAt("check out", "reset-after", { times: 1 })],
      killedAt: ["check out", "list orders"],
      withoutEffect: ["check out"],
      closure: welcome,
    },
  },
});
