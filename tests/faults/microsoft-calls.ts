/** The provider calls of a Microsoft fulfilment. */
import { callBook, guid, type KnownCall } from "#tests/support/calls.ts";

const api = "^/partner-center/v1";
const tenant = `${api}/customers/${guid}`;

const calls = {
  token: { method: "POST", path: "^/microsoft-login/[^/]+/oauth2/token$" },
  "check domain": { method: "HEAD", path: `${api}/domains/` },
  "make customer": { method: "POST", path: `${api}/customers$`, effect: "customer.create" },
  "find customer": { method: "GET", path: `${api}/customers\\?` },
  "look tenant up": { method: "GET", path: `${tenant}$` },
  "read agreements": { method: "GET", path: `${api}/agreements\\?` },
  "accept agreement": { method: "POST", path: `${tenant}/agreements$`, effect: "agreement.create" },
  "make user": { method: "POST", path: `${tenant}/users$`, effect: "user.create" },
  "find user": { method: "GET", path: `${tenant}/users\\?` },
  "set password": { method: "PATCH", path: `${tenant}/users/${guid}$`, effect: "user.update" },
  "read roles": { method: "GET", path: `${tenant}/directoryroles$` },
  "give admin role": {
    method: "POST",
    path: `${tenant}/directoryroles/${guid}/usermembers$`,
    effect: "role.add",
  },
  "read availabilities": { method: "GET", path: `${api}/products/[^/]+/skus/[^/]+/availabilities\\?` },
  "make cart": { method: "POST", path: `${tenant}/carts$`, effect: "cart.create" },
  "check out": { method: "POST", path: `${tenant}/carts/${guid}/checkout$`, effect: "order.place" },
  "read subscription": { method: "GET", path: `${tenant}/subscriptions/${guid}$` },
  "change subscription": {
    method: "PATCH",
    path: `${tenant}/subscriptions/${guid}$`,
    effect: "subscription.update",
  },
  "list orders": { method: "GET", path: `${tenant}/orders$` },
  "read order": { method: "GET", path: `${tenant}/orders/[^/]+$` },
} as const satisfies Record<string, KnownCall>;
export type MicrosoftCall = keyof typeof calls;

export const microsoftCalls = callBook<MicrosoftCall>(calls);
