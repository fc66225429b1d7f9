/** The provider calls of a Microsoft fulfilment by name, so that a journal reads as a story and a fault can be put on one of them. */
import type { Fault } from "#server/sandbox/faults.ts";
import type { Call } from "#tests/support/provider-side.ts";

const guid = "[0-9a-f-]{36}";
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
  "read order": { method: "GET", path: `${tenant}/orders/[^/]+$` },
} as const satisfies Record<string, { method: string; path: string; effect?: string }>;
export type CallName = keyof typeof calls;

/** What a call is called; one that is not known shows as it was made. */
export function nameOf({ method, path }: Pick<Call, "method" | "path">): string {
  for (const [name, known] of Object.entries(calls)) {
    if (known.method === method && new RegExp(known.path).test(path)) return name;
  }
  return `${method} ${path}`;
}

/** A fault on this call; of one tenant only, when its id is given and stands in the path. */
export function faultAt(
  name: CallName,
  kind: Fault["kind"],
  { tenantId, ...options }: Omit<Fault, "match" | "kind"> & { tenantId?: string } = {},
): Fault {
  const { method, path } = calls[name];
  return {
    match: { method, path: tenantId === undefined ? path : path.replace(guid, tenantId) },
    kind,
    ...options,
  };
}

/** What the sandbox counts when this call has taken effect; undefined for a read. */
export function effectOf(name: CallName): string | undefined {
  const call = calls[name];
  return "effect" in call ? call.effect : undefined;
}
