/** Names for provider calls, for readable journals and for faults on single calls. */
import type { Fault } from "#sandbox/vendors/faults.ts";
import type { Call } from "./provider-state.ts";

/** Regular expression for a GUID; the first one in a path is the tenant's. */
export const guid = "[0-9a-f-]{36}";

export interface KnownCall {
  method: string;
  /** A regular expression. */
  path: string;
  /** Name under which the sandbox counts the call's effect; left out for a read. */
  effect?: string;
}

export interface FaultOptions extends Omit<Fault, "match" | "kind"> {
  /** Restricts to this tenant's calls, whose path contains its id. */
  tenantId?: string;
  /** Restricts to calls that send this. */
  body?: string;
}

export interface CallBook<Name extends string> {
  /** Name of a call; an unknown one is shown as it was made. */
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
