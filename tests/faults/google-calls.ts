/** The provider calls of a Google fulfilment. */
import { callBook, guid, type KnownCall } from "#tests/support/calls.ts";

const account = "^/google-channel/v1/accounts/[^/:]+";
const customer = `${account}/customers/[^/:]+`;
const users = "^/google-directory/admin/directory/v1/users";

const calls = {
  token: { method: "POST", path: "^/google-token/token$" },
  "check domain": { method: "POST", path: `${account}:checkCloudIdentityAccountsExist$` },
  "make customer": { method: "POST", path: `${account}/customers$`, effect: "google.customer.create" },
  "find customer": { method: "GET", path: `${account}/customers\\?` },
  "import customer": {
    method: "POST",
    path: `${account}/customers:import$`,
    effect: "google.customer.import",
  },
  "look customer up": { method: "GET", path: `${customer}$` },
  provision: { method: "POST", path: `${customer}:provisionCloudIdentity$`, effect: "google.provision" },
  "read operation": { method: "GET", path: `^/google-channel/v1/operations/${guid}$` },
  "find user": { method: "GET", path: `${users}/[^/]+$` },
  "make user": { method: "POST", path: `${users}$`, effect: "google.user.insert" },
  "set password": { method: "PUT", path: `${users}/[^/]+$`, effect: "google.user.update" },
  "make admin": { method: "POST", path: `${users}/[^/]+/makeAdmin$`, effect: "google.user.makeAdmin" },
  "read transferable plans": { method: "POST", path: `${account}:listTransferableSkus$` },
  "read transferable offers": { method: "POST", path: `${account}:listTransferableOffers$` },
  transfer: { method: "POST", path: `${customer}:transferEntitlements$`, effect: "google.transfer" },
  "read entitlement": { method: "GET", path: `${customer}/entitlements/[^/:]+$` },
  "change seats": {
    method: "POST",
    path: `${customer}/entitlements/[^/:]+:changeParameters$`,
    effect: "google.entitlement.change",
  },
  "change renewal": {
    method: "POST",
    path: `${customer}/entitlements/[^/:]+:changeRenewalSettings$`,
    effect: "google.entitlement.renewal",
  },
  "read offers": { method: "GET", path: `${customer}:listPurchasableOffers\\?` },
  buy: { method: "POST", path: `${customer}/entitlements$`, effect: "google.entitlement.create" },
} as const satisfies Record<string, KnownCall>;
export type GoogleCall = keyof typeof calls;

export const googleCalls = callBook<GoogleCall>(calls);
