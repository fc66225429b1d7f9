/** Provider calls by name, so that a journal reads as a story and a fault can be put on one of them. */
import type { Fault } from "#sandbox/vendors/faults.ts";
import type { Call } from "./provider-state.ts";

/** As a regular expression; the first of a path is the tenant's. */
export const guid = "[0-9a-f-]{36}";

export interface KnownCall {
  method: string;
  /** A regular expression. */
  path: string;
  /** What the sandbox counts when this call has taken effect; a read has none. */
  effect?: string;
}

export interface FaultOptions extends Omit<Fault, "match" | "kind"> {
  /** Of this tenant only, whose id stands in the path. */
  tenantId?: string;
  /** Of those only which send this. */
  body?: string;
}

export interface CallBook<Name extends string> {
  /** What a call is called; one that is not known shows as it was made. */
  nameOf(call: Pick<Call, "method" | "path">): string;
  faultAt(name: Name, kind: Fault["kind"], options?: FaultOptions): Fault;
  effectOf(name: Name): string | undefined;
}

export function callBook<Name extends string>(calls: Record<Name, KnownCall>): CallBook<Name> {
  return {
    nameOf({ method, path }) {
      for (const [name, known] of Object.entries<KnownCall>(calls)) {
        if (known.method === method && new RegExp(known.path).test(path)) return name;
      }
      return `${method} ${path}`;
    },
    faultAt(name, kind, { tenantId, body, ...options } = {}) {
      const { method, path } = calls[name];
      const match = { method, path: tenantId === undefined ? path : path.replace(guid, tenantId) };
      return { match: body === undefined ? match : { ...match, body }, kind, ...options };
    },
    effectOf: (name) => calls[name].effect,
  };
}
