/**
 * Storage of the OpenID provider between two requests of one sign-in. In memory: a restart only makes its visitors begin again.
 */
import type { Adapter, AdapterFactory, AdapterPayload } from "oidc-provider";

export function memory(now: () => number): AdapterFactory {
  const entries = new Map<string, { payload: AdapterPayload; until: number }>();

  return (kind): Adapter => {
    const keyOf = (id: string) => `${kind}:${id}`;
    const read = (key: string): AdapterPayload | undefined => {
      const entry = entries.get(key);
      return entry !== undefined && entry.until > now() ? entry.payload : undefined;
    };
    const where = (matches: (payload: AdapterPayload) => boolean) =>
      [...entries].find(([key, { payload }]) => key.startsWith(`${kind}:`) && matches(payload))?.[0];
    return {
      async upsert(id, payload, seconds = 600) {
        for (const [key, { until }] of entries) if (until <= now()) entries.delete(key);
        entries.set(keyOf(id), { payload, until: now() + seconds * 1_000 });
      },
      find: async (id) => read(keyOf(id)),
      findByUid: async (uid) => read(where((payload) => payload.uid === uid) ?? ""),
      findByUserCode: async (code) => read(where((payload) => payload.userCode === code) ?? ""),
      async consume(id) {
        const payload = read(keyOf(id));
        if (payload !== undefined) payload.consumed = Math.floor(now() / 1_000);
      },
      async destroy(id) {
        entries.delete(keyOf(id));
      },
      async revokeByGrantId(grantId) {
        for (const [key, { payload }] of entries) if (payload.grantId === grantId) entries.delete(key);
      },
    };
  };
}
