/** Records that prove a domain: read from every name server; a server that does not respond is an error. */
import { afterEach, expect, test } from "vitest";
import { startDns } from "#sandbox/vendors/dns.ts";
import { createDns } from "#server/integrations/dns.ts";

const running: Awaited<ReturnType<typeof startDns>>[] = [];
afterEach(() => {
  for (const each of running.splice(0)) each.close();
});

async function server(records: Record<string, string[]> = {}): Promise<string> {
  const socket = await startDns(new Map(Object.entries(records)), 0, "127.0.0.1");
  running.push(socket);
  return `127.0.0.1:${socket.address().port}`;
}

const name = "_store-verify.acme.example";

test("lists each server's records, with an empty list for a missing name", async () => {
  const servers = [await server({ [name]: ["value-1", "other"] }), await server()];
  const dns = createDns({ servers, timeoutMs: 4_000 });
  expect(await dns.readText(name)).toEqual([["value-1", "other"], []]);
  expect(await dns.readText("_store-verify.elsewhere.example")).toEqual([[], []]);
});

test("reports an unresponsive server as transient instead of a missing record", async () => {
  const gone = await server();
  running.pop()?.close();
  const dns = createDns({ servers: [await server({ [name]: ["value-1"] }), gone], timeoutMs: 800 });
  await expect(dns.readText(name)).rejects.toMatchObject({ provider: "dns", kind: "transient" });
});
