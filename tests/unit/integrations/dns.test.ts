/** Records that prove a domain: every name server must have them, and one that does not answer is no answer. */
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

test("what each of two servers has is told apart, and a name without a record is an empty answer", async () => {
  const servers = [await server({ [name]: ["value-1", "other"] }), await server()];
  const dns = createDns({ servers, timeoutMs: 4_000 });
  expect(await dns.readText(name)).toEqual([["value-1", "other"], []]);
  expect(await dns.readText("_store-verify.elsewhere.example")).toEqual([[], []]);
});

test("a server that does not answer is a failure for now, not the lack of a record", async () => {
  const gone = await server();
  running.pop()?.close();
  const dns = createDns({ servers: [await server({ [name]: ["value-1"] }), gone], timeoutMs: 800 });
  await expect(dns.readText(name)).rejects.toMatchObject({ provider: "dns", kind: "transient" });
});
