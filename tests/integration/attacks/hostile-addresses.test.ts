/**
 * Addresses, hosts and headers that no browser sends. None may lead to a bare error page, a redirect to another host, a header
 * that proxies reject, or a file instead of a page's data.
 */
import { once } from "node:events";
import net from "node:net";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as paths from "#server/foundation/paths.ts";
import { HttpBrowser } from "#tests/support/http-browser.ts";
import { makePerson, signedIn } from "#tests/support/orders.ts";
import { startStore } from "#tests/support/store.ts";

const { stack, context } = await startStore();
const { port } = new URL(stack.url);
const host = `Host: localhost:${port}`;

interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Sends the lines unchanged and reads until the connection closes. */
async function raw(...head: string[]): Promise<RawAnswer> {
  const socket = net.connect(Number(port), "localhost");
  socket.write(`${[...head, "Connection: close"].join("\r\n")}\r\n\r\n`, "latin1");
  let text = "";
  socket.setEncoding("latin1").on("data", (chunk: string) => {
    text += chunk;
  });
  socket.on("error", () => undefined);
  await once(socket, "close");
  const [top = "", ...rest] = text.split("\r\n\r\n");
  const [first = "", ...lines] = top.split("\r\n");
  const headers = lines.map((line) => line.split(/: (.*)/s).slice(0, 2));
  return {
    status: Number(first.split(" ")[1]),
    headers: Object.fromEntries(headers.map(([name = "", value = ""]) => [name.toLowerCase(), value])),
    body: rest.join("\r\n\r\n"),
  };
}

let count = 0;
const get = (path: string, ...more: string[]) => {
  count += 1;
  return raw(
    `GET ${path} HTTP/1.1`,
    host,
    `X-Forwarded-For: 10.9.${Math.floor(count / 200)}.${count % 200}`,
    ...more,
  );
};

function expectComplete({ status, headers, body }: RawAnswer, what: string): void {
  const about = `${what.slice(0, 300)}: ${status} ${body.slice(0, 100)}`;
  expect(status, about).toBeGreaterThanOrEqual(200);
  expect(status, about).toBeLessThan(500);
  expect(headers["content-security-policy"], about).toContain("default-src 'none'");
  expect(headers["content-security-policy"], about).toContain("frame-ancestors 'none'");
  expect(headers["x-content-type-options"], about).toBe("nosniff");
  expect(headers["x-frame-options"], about).toBe("DENY");
  expect(headers["cache-control"], about).toBeDefined();
  expect(body, about).not.toContain("Unexpected Server Error");
  const { location = "/" } = headers;
  expect(location.length, about).toBeLessThan(2_048);
  expect(location, about).toMatch(/^\/(?![/\\])/);
}

describe("an address of any characters", () => {
  const named = [
    "/%5c",
    "/%5c%5c",
    "/%5C%5c%5C",
    "//",
    "///",
    "//%5c",
    "/%5c%5cevil.example/%5c",
    "/.//evil.example",
    "/%2e%2e/%5c",
    "/%00",
    "/a%00b",
    "/%0d%0aSet-Cookie:a=b",
    "/%ed%a0%80",
    "/%ff",
    "/%",
    "/%u0000",
    "/\\",
    "/\\evil.example",
    "/desk/%5c",
    "/order/%5c/%00/IN",
    "/invite/%5c%0a",
    "/cart?search=%ff%00%5c",
    "/%f0%9f%98%80",
    "/%e2%80%ae",
    "/%20",
    "/a%20",
    "/%3f%23",
    "/;/",
    "/:x",
    "/http:",
    "/http://evil.example/",
    "/__proto__",
    "/constructor/renew",
    "/_root.data",
    "/%5c.data",
    "/__manifest",
    `/${"%5c".repeat(2_000)}`,
    `/${"a/".repeat(3_500)}`,
    `/${"/".repeat(7_000)}`,
    `/desk/${"/".repeat(7_000)}`,
    `/cart?search=${"%2F".repeat(2_300)}`,
    `/subscriptions?search=${"é".repeat(3_000)}`,
    `/documents/statement?year=${"/".repeat(7_000)}`,
    `/account?${"a=/&".repeat(1_700)}`,
  ];
  test.each(named.map((address) => [address.slice(0, 60), address]))(
    "sends all security headers for %s",
    async (_name, address) => {
      expectComplete(await get(address), address);
    },
  );

  test("sends all security headers for 300 random hostile addresses", async () => {
    const piece = fc.constantFrom(
      ...[
        "/",
        "//",
        "\\",
        "%5c",
        "%5C",
        "%2f",
        "%00",
        "%0a",
        "%0d",
        "%7f",
        "%80",
        "%ff",
        "%ed%a0%80",
        "%",
        "%2",
        "%25",
      ],
      ...[
        ".",
        "..",
        "%2e",
        ":",
        "@",
        ";",
        "=",
        "&",
        "?",
        "#",
        "http:",
        "evil.example",
        "desk",
        "orders",
        "cart",
        ".data",
      ],
      ...[
        "_root",
        "quotes",
        "invoice.pdf",
        "login",
        "é",
        "\u00a0",
        "~",
        "|",
        "^",
        "{",
        '"',
        "<",
        "'",
        "+",
        "*",
        "%20",
      ],
    );
    const address = fc.array(piece, { maxLength: 12 }).map((pieces) => `/${pieces.join("")}`);
    await fc.assert(
      fc.asyncProperty(address, async (path) => {
        expectComplete(await get(path), path);
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    ["a raw control", "GET /\u0001 HTTP/1.1"],
    ["a raw blank", "GET /a b HTTP/1.1"],
    ["no HTTP", "hello"],
    ["another version", "GET / HTTP/9.9"],
    ["an address of 20 kB", `GET /${"a".repeat(20_000)} HTTP/1.1`],
  ])("sends all security headers for a malformed request: %s", async (_what, line) => {
    const answer = await raw(line, host);
    expect([400, 431]).toContain(answer.status);
    expectComplete(answer, line);
  });

  test("limits an address in the log to 300 characters", async () => {
    await get(`/%5c${"x%5c".repeat(1_500)}`);
    await get(`/${"long%2F".repeat(1_000)}`);
    const lines = () =>
      stack.logs("web").filter((line) => line.includes("long/long") || line.includes("x%5cx%5c"));
    await expect.poll(() => lines().length).toBe(2);
    for (const line of lines()) expect(line.length).toBeLessThan(1_000);
  });
});

describe("a header that counts once", () => {
  const other = "Host: evil.example";
  test.each<[string, string[]]>([
    ["two hosts", ["GET /login HTTP/1.1", host, other]],
    ["the same host twice", ["GET /login HTTP/1.1", host, host]],
    ["two hosts for a file", ["GET /robots.txt HTTP/1.1", other, host]],
    ["hosts in other letters", ["GET /login HTTP/1.1", host, `hOST: localhost:${port}`]],
    ["no host", ["GET /login HTTP/1.1"]],
    ["an empty host", ["GET /login HTTP/1.1", "Host:"]],
    ["another host in the address", [`GET http://evil.example/login HTTP/1.1`, host]],
    ["another port in the address", [`GET http://localhost:1/login HTTP/1.1`, host]],
    ["a person in the address", [`GET http://a@localhost:${port}/login HTTP/1.1`, host]],
    ["two lengths", ["POST /login HTTP/1.1", host, "Content-Length: 0", "Content-Length: 0"]],
    [
      "two types",
      ["POST /login HTTP/1.1", host, "Content-Type: text/plain", "Content-Type: application/json"],
    ],
    ["two origins", ["POST /login HTTP/1.1", host, `Origin: ${stack.url}`, "Origin: https://evil.example"]],
    [
      "two sites",
      ["POST /login HTTP/1.1", host, "Sec-Fetch-Site: same-origin", "Sec-Fetch-Site: cross-site"],
    ],
    ["two authorizations", ["GET /api/get/cust HTTP/1.1", host, "Authorization: a", "Authorization: b"]],
  ])("refuses %s", async (what, lines) => {
    const answer = await raw(...lines);
    expect(answer.status).toBe(400);
    expectComplete(answer, what);
  });

  test("sends all security headers with 417", async () => {
    const answer = await raw("GET /login HTTP/1.1", host, "Expect: the-unexpected");
    expect(answer.status).toBe(417);
    expectComplete(answer, "Expect");
  });
});

describe("a post without Sec-Fetch-Site", () => {
  test.each([
    ["evil.example", "http://evil.example"],
    [`localhost.evil.example:${port}`, `http://localhost.evil.example:${port}`],
    [`127.0.0.1:${port}`, `http://127.0.0.1:${port}`],
  ])("does not count as the store's own with Host %s", async (named, origin) => {
    const type = "Content-Type: application/x-www-form-urlencoded";
    const answer = await raw(
      "POST /login HTTP/1.1",
      `Host: ${named}`,
      `Origin: ${origin}`,
      type,
      "Content-Length: 0",
    );
    expect(answer.status).toBe(403);
  });
});

describe("a Location", () => {
  test("contains only the fields of a payment's return", async () => {
    const post = (fields: Record<string, string>) =>
      new HttpBrowser(stack.url).post("/payments/return?by=link", fields, { "Sec-Fetch-Site": "cross-site" });
    const paid = {
      razorpay_payment_id: "pay_abc123",
      razorpay_order_id: "order_abc123",
      razorpay_signature: "0".repeat(64),
    };
    const passed = await post({ ...paid, filler: "x".repeat(60_000) });
    expect(passed.location).toBe(`${paths.paymentReturn()}?${new URLSearchParams(paid)}`);
    expect((await post({ ...paid, order_id: "x".repeat(60_000) })).status).toBe(404);
    expect((await post({ order_id: "x".repeat(5_000) })).status).toBe(404);
    expect((await post({ filler: "x".repeat(60_000) })).status).toBe(404);
    const left = await post({ order_id: "order_abc", other: "x" });
    expect(left.location).toBe(`${paths.paymentReturn()}?order_id=order_abc`);
  });
});

describe("data requests of addresses that are not pages", () => {
  const id = "0b0e7d2c-8c1e-4f1e-9a55-0c6f5f0f9e11";
  test.each([
    paths.documentsFile(),
    paths.documentsZip(),
    paths.statementPdf(),
    paths.statementFile(),
    paths.licencesFile(),
    paths.invoicePdf(id),
    paths.quotePdf(id),
    paths.proformaPdf(id),
    paths.creditNotePdf(id),
    paths.myDataZip(id),
    paths.robots(),
    paths.sitemap(),
    paths.securityTxt(),
    paths.manifest(),
    paths.openApi(),
    paths.live(),
    paths.ready(),
    "/health",
    "/dashboard",
    "/api/get/cust",
    "/webhooks/razorpay",
    "/logout",
    "/calendar/x.ics",
    "/desk/documents.zip",
    "/desk/orders.csv",
    "/desk/staff.csv",
  ])("returns 404 for %s.data", async (path) => {
    const member = await signedIn(context, stack.url, await makePerson(context.db));
    const answer = await member.get(`${path}.data`);
    expect(answer.status, answer.text.slice(0, 200)).toBe(404);
    expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(answer.headers.get("content-disposition")).toBeNull();
  });
});

test("logs no unexpected errors", () => {
  expect(stack.unexpectedErrors()).toEqual([]);
});
