/** docs/specification.md matches the code: every route, every call, and the messages word for word. */
import type { RouteConfigEntry } from "@remix-run/route-config";
import { expect, test } from "vitest";
import { listEndpoints } from "#app/api/shared/list-endpoints.ts";
import routes from "#app/routes.ts";
import { filesUnder, textOf } from "#tests/support/tree.ts";

const specification = textOf("docs/specification.md");

/** @param number as in its heading: "2.1" */
function section(number: string): string {
  const [, after = ""] = specification.split(new RegExp(`^#+ ${number.replace(".", "\\.")}\\.? .*$`, "m"));
  const depth = number.includes(".") ? "{2,3}" : "{2}";
  return after.split(new RegExp(`^#${depth} `, "m"))[0] ?? "";
}

/** Drops the names of parameters, which do not matter. */
const shapeOf = (url: string) => url.replaceAll(/:\w+|\{\w+\}/g, "{}");

/** The first cells of a section's tables. */
const firstCells = (number: string) =>
  [...section(number).matchAll(/^\| ([^|]*)\|/gm)].map(([, cell = ""]) => cell);

const inSpecification = firstCells("2.1").flatMap((cell) =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, url = ""]) => shapeOf(url)),
);
const callsInSpecification = firstCells("7").flatMap((cell) =>
  [...cell.matchAll(/(GET|POST) `([^`]+)`/g)].map(([, method, url = ""]) => `${method} ${shapeOf(url)}`),
);

test("lists the routes of routes.ts in section 2.1, except calls and the catch-all", () => {
  const calls = listEndpoints().map(({ path }) => shapeOf(path));
  const pages = (routes as RouteConfigEntry[])
    .map(({ path = "" }) => shapeOf(`/${path}`))
    .filter((url) => !url.endsWith("*"))
    .filter((url) => !calls.includes(url) || inSpecification.includes(url));
  expect(new Set(inSpecification).size).toBeGreaterThan(50);
  expect([...new Set(inSpecification)].sort()).toEqual([...new Set(pages)].sort());
});

test("lists the calls of api/endpoints.ts in section 7", () => {
  const calls = listEndpoints().map(({ path, call }) => `${call.method.toUpperCase()} ${shapeOf(path)}`);
  // The browser visits the first of these and downloads files from the others; `again` is a call that has three addresses.
  const others = ["GET /azure/ad/authentication/", "GET /credit-notes/{}/pdf", "GET /orders/{}/invoice.pdf"];
  const again = calls.filter((call) => / \/(reset\/password|set-password)\//.test(call));
  expect(callsInSpecification.filter((call) => !others.includes(call)).sort()).toEqual(
    calls.filter((call) => !again.includes(call)).sort(),
  );
});

const source = ["app", "server", "public"]
  .flatMap((folder) => filesUnder(folder, /\.(?:tsx?|mjs|js|html)$/))
  .map((file) => textOf(file).replaceAll('\\"', '"').replaceAll(/\s+/g, " "))
  .join("\n");

/** Lists the messages of a section: texts in quotation marks and quoted paragraphs, in which `{name}` is a value. */
function messagesOf(number: string): string[] {
  const text = section(number);
  const paragraphs = [...text.matchAll(/^> (.+)$/gm)].map(([, message = ""]) => message);
  const rest = text.replaceAll(/^> .+$/gm, "").replaceAll(/\s+/g, " ");
  return [...paragraphs, ...[...rest.matchAll(/"([^"]+)"/g)].map(([, message = ""]) => message)];
}

test.each(["5", "8"])(
  "quotes the messages of section %s as they are in the code, word for word",
  (number) => {
    const messages = messagesOf(number);
    expect(messages.length).toBeGreaterThan(25);
    const parts = messages.flatMap((message) => message.split(/\{[^}]+\}/)).filter((part) => part.length > 2);
    expect(parts.filter((part) => !source.includes(part))).toEqual([]);
  },
);
