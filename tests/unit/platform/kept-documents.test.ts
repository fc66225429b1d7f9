/** Which documents are kept, for whom, for how long and how many: in front of an app that counts how often it is asked. */
import http from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { keepDocuments, offerDocument } from "#server/web/kept-documents.mjs";
import { portOf } from "./web-server.ts";

const servers: http.Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

interface Shop {
  ask(
    url?: string,
    headers?: Record<string, string>,
    method?: string,
  ): Promise<{ text: string; headers: Headers }>;
  /** Addresses the app was asked for. */
  asked: string[];
  /** Moves its clock. */
  later(ms: number): void;
}

/** Its app offers each answer, unless the address says otherwise. */
async function openShop({ maxBytes = 1_000_000, size = 10 } = {}): Promise<Shop> {
  let now = 0;
  const keep = keepDocuments({ freshMs: 1_000, maxBytes, now: () => now });
  const asked: string[] = [];
  const server = http.createServer((request, response) => {
    const requestId = `${Math.random()}`;
    request.headers["x-request-id"] = requestId;
    keep(request, response, () => {
      const { url = "" } = request;
      asked.push(url);
      const html = Buffer.from(`answer ${asked.length} `.padEnd(size, `${Math.random()}`));
      const headers = {
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": "default-src",
      };
      const ofSomebodyElse = url.includes("unknown") ? "not-a-request-under-way" : requestId;
      const offer = () => {
        if (!url.includes("own")) offerDocument({ requestId: ofSomebodyElse, html, headers });
        // Long enough for what was offered to be packed.
        setTimeout(() => response.writeHead(200, headers).end(html), 200);
      };
      setTimeout(offer, url.includes("slow") ? 200 : 0);
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    asked,
    later: (ms) => {
      now += ms;
    },
    async ask(url = "/", headers = {}, method = "GET") {
      const response = await fetch(`http://127.0.0.1:${portOf(server)}${url}`, { method, headers });
      return { text: await response.text(), headers: response.headers };
    },
  };
}

describe("a document that was offered", () => {
  test.each(["br", "gzip", "identity"])("is given to the next as it was, in %s", async (encoding) => {
    const { ask, asked } = await openShop();
    const first = await ask();
    const second = await ask("/", { "Accept-Encoding": encoding });
    expect(second.text).toBe(first.text);
    expect(second.headers.get("content-encoding")).toBe(encoding === "identity" ? null : encoding);
    expect(second.headers.get("vary")).toBe("Accept-Encoding");
    expect(second.headers.get("content-security-policy")).toBe("default-src");
    expect(asked).toHaveLength(1);
  });

  test("is given as it is to who refuses an encoding", async () => {
    const { ask } = await openShop();
    const first = await ask();
    const second = await ask("/", { "Accept-Encoding": "br;q=0, gzip" });
    expect(second.text).toBe(first.text);
    expect(second.headers.get("content-encoding")).toBeNull();
  });

  test("is that address's alone, query and host included", async () => {
    const { ask, asked } = await openShop();
    await ask("/?service=google");
    await ask("/?service=microsoft");
    await ask("/?service=google", { "X-Forwarded-Host": "evil.example" });
    await ask("/?service=google", { "X-Forwarded-Proto": "https" });
    expect(asked).toHaveLength(4);
  });

  test.each([
    ["comes with a cookie", { Cookie: "session=abc" }, "GET"],
    ["comes with an empty cookie", { Cookie: "" }, "GET"],
    ["comes with a token", { Authorization: "Bearer abc" }, "GET"],
    ["posts a form", {}, "POST"],
    ["asks for the headers alone", {}, "HEAD"],
  ])("is not for who %s, and theirs is not kept", async (_who, headers, method) => {
    const { ask, asked } = await openShop();
    await ask("/", headers, method);
    await ask();
    await ask("/", headers, method);
    expect(asked).toHaveLength(3);
    await ask();
    expect(asked).toHaveLength(3);
  });
});

test("what was not offered is not kept, nor what is offered for a request that nobody made", async () => {
  const { ask, asked } = await openShop();
  for (const url of ["/own", "/own", "/unknown", "/unknown"]) await ask(url);
  expect(asked).toEqual(["/own", "/own", "/unknown", "/unknown"]);
});

test("when its time is over one visitor waits for a new one, and the others get the old until it is there", async () => {
  const { ask, asked, later } = await openShop();
  const { text: old } = await ask("/slow");
  later(1_000);
  expect((await ask("/slow")).text).toBe(old);
  later(1);
  const renewing = ask("/slow");
  await sleep(50);
  expect((await ask("/slow")).text).toBe(old);
  const { text: renewed } = await renewing;
  expect(renewed).not.toBe(old);
  expect((await ask("/slow")).text).toBe(renewed);
  expect(asked).toHaveLength(2);
});

test("nobody gets one that is older than twice its time", async () => {
  const { ask, asked, later } = await openShop();
  await ask("/slow");
  later(1_500);
  const renewing = ask("/slow");
  await sleep(50);
  later(501);
  await Promise.all([renewing, ask("/slow")]);
  expect(asked).toHaveLength(3);
});

test("no more is kept than fits: the oldest goes", async () => {
  const { ask, asked } = await openShop({ size: 20_000, maxBytes: 150_000 });
  for (let page = 0; page < 10; page += 1) await ask(`/?page=${page}`);
  await ask("/?page=9");
  expect(asked).toHaveLength(10);
  await ask("/?page=0");
  expect(asked).toHaveLength(11);
});
