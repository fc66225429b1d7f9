/** Looks TXT records up at several name servers, because a single one may be spoofed or stale. */
import { Resolver } from "node:dns/promises";
import { type OnCall, ProviderError } from "./http.ts";

export interface DnsConfig {
  /** `address` or `address:port` each. All of them are queried. */
  servers: readonly string[];
  timeoutMs: number;
  onCall?: OnCall | undefined;
}

export interface Dns {
  /**
   * Returns the TXT records of a name for each server, in the settings' order. Empty if the server reports none.
   * @throws ProviderError (transient) when one of the servers does not respond
   */
  readText(name: string): Promise<string[][]>;
}

/** Codes for a name that does not exist, or has no such record. */
const nothing = ["ENOTFOUND", "ENODATA"];

export function createDns({ servers, timeoutMs, onCall }: DnsConfig): Dns {
  async function ask(server: string, name: string): Promise<string[]> {
    const resolver = new Resolver({ timeout: Math.ceil(timeoutMs / 4), tries: 2 });
    resolver.setServers([server]);
    const started = performance.now();
    const report = (status: number | null) =>
      onCall?.({
        provider: "dns",
        method: "TXT",
        path: server,
        status,
        ms: Math.round(performance.now() - started),
        requestId: null,
      });
    try {
      const records = await resolver.resolveTxt(name);
      report(200);
      // A long record arrives in several strings.
      return records.map((pieces) => pieces.join(""));
    } catch (error) {
      const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
      if (nothing.includes(code)) {
        report(404);
        return [];
      }
      report(null);
      throw new ProviderError("dns", "transient", "TXT", { code });
    }
  }
  return { readText: (name) => Promise.all(servers.map((server) => ask(server, name))) };
}
