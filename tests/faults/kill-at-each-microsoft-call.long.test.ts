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
        "read agreements",
        "accept agreement",
        "make user",
        "read roles",
        "give admin role",
        "read availabilities",
        "make cart",
        "check out",
      ],
      isWhole: true,
      closure: welcome,
    },
    "existing tenant": {
      prepare: prepareExistingTenant,
      killedAt: [
        "look tenant up",
        "read agreements",
        "accept agreement",
        "read availabilities",
        "make cart",
        "check out",
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
  },
});
