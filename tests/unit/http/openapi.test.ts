/** The OpenAPI document and the routes say the same, and the readable page says all of it. */
import { readFileSync } from "node:fs";
import path from "node:path";
import type { RouteConfigEntry } from "@remix-run/route-config";
import { expect, test } from "vitest";
import { z } from "zod";
import { openApiDocument, type Schema } from "#app/calls/openapi.ts";
import { fieldRows } from "#app/pages/api-docs/rows.ts";
import routes from "#app/routes.ts";

const document = openApiDocument();

/** A path's shape: what its parameters are called is nobody's business. */
const shapeOf = (url: string) => url.replaceAll(/:\w+|\{\w+\}/g, "{}");
const inDocument = Object.entries(document.paths).flatMap(([url, methods]) =>
  Object.keys(methods).map((method) => `${method.toUpperCase()} ${shapeOf(url)}`),
);

/** Of the routes.ts: every loader and action that a builder of calls makes, read from the sources. */
const inRoutes = (routes as RouteConfigEntry[]).flatMap(({ path: url = "", file }) => {
  const source = readFileSync(path.resolve("app", file), "utf8");
  const made = (exported: string, builder: string) =>
    new RegExp(`export const ${exported} = (${builder}\\(|pageOrCall\\w+\\([\\s\\S]*?${builder}\\()`).test(
      source,
    );
  return [
    ...(made("loader", "apiLoader") ? [`GET /${shapeOf(url)}`] : []),
    ...(made("action", "jsonAction") ? [`POST /${shapeOf(url)}`] : []),
  ];
});

test("each call that routes.ts has is in the document, and the other way round", () => {
  expect(inRoutes.length).toBeGreaterThan(25);
  // The browser goes there: a row of SPEC section 7, and no call.
  const navigation = "GET /azure/ad/authentication/";
  expect(inDocument.filter((call) => call !== navigation).sort()).toEqual(inRoutes.sort());
  expect(inDocument).toContain(navigation);
});

/** The rows of SPEC section 7, all of them. */
const specified =
  `POST /api/login, POST /api/signup, POST /reset-mail, GET /reset-password/{}, POST /reset-password/{},
GET /api/validate-token, GET /api/get/cust, POST /api/search, GET /dashboard, GET /get/stage, POST /api/gst,
POST /createacount, GET /check/user, POST /create/order, GET /subscriptiondetails, POST /subscriptiondetails, GET /item,
GET /google/signup, POST /google/signup, POST /api/domain, GET /mssignup, POST /mssignup, GET /reseller/invitation/status,
GET /placeorder, GET /closure, GET /add/user/{}, POST /add/user/{}, GET /renew-subscription/{}, POST /renew-subscription/{},
POST /api/capturepayment, GET /api/subscriptions, GET /api/subscription/{}, GET /api/existigcustomer,
GET /api/existingsubscriptions, GET /api/get/orders, GET /azure/ad/authentication/`
    .split(",")
    .map((row) => row.trim());

test("the specification's rows are counted: none is left out here either", () => {
  expect(new Set(specified).size).toBe(36);
});

test.each(specified)("%s of the specification is in the document", (row) => {
  expect(inDocument).toContain(row);
});

test("it is whole: versions, names once, answers with schemas, references that lead somewhere", () => {
  expect(document.openapi).toBe("3.1.0");
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const ids = operations.map(({ operationId }) => operationId);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  const schemes = Object.keys(document.components.securitySchemes);
  for (const { summary, tags, security, responses } of operations) {
    expect(summary).toMatch(/\.$/);
    expect(document.tags.map(({ name }) => name)).toEqual(expect.arrayContaining([...tags]));
    for (const way of security) expect(schemes).toEqual(expect.arrayContaining(Object.keys(way)));
    expect(responses["200"]?.content ?? responses["302"]).toBeDefined();
  }
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, to]) => to);
  expect(new Set(references)).toEqual(new Set(["#/components/schemas/Refusal"]));
  expect(JSON.parse(JSON.stringify(document))).toEqual(document);
});

test("it says who may call, what may be repeated, and what is answered too often", () => {
  const { paths } = document;
  const capture = paths["/api/capturepayment"]?.post;
  expect(capture?.security).not.toContainEqual({});
  expect(capture?.parameters?.map(({ name }) => name)).toContain("Idempotency-Key");
  expect(Object.keys(capture?.responses ?? {})).toEqual([
    "200",
    "400",
    "401",
    "403",
    "404",
    "409",
    "413",
    "415",
    "429",
    "500",
    "502",
    "503",
  ]);
  const charging = [
    "/create/order",
    "/subscriptiondetails",
    "/createacount",
    "/mssignup",
    "/google/signup",
    "/add/user/{subscriptionId}",
    "/renew-subscription/{id}",
  ];
  for (const url of charging) {
    expect(
      paths[url]?.post?.parameters?.map(({ name }) => name),
      url,
    ).toContain("Idempotency-Key");
  }
  expect(paths["/placeorder"]?.get?.parameters).toMatchObject([{ name: "id", in: "query", required: true }]);
  expect(paths["/reset-password/{token}"]?.get?.parameters).toMatchObject([{ name: "token", in: "path" }]);
});

test("the readable page has a row for every field, in lists and in objects too", () => {
  const schema = z.toJSONSchema(
    z.object({
      id: z.string().describe("the order"),
      user: z.object({ name: z.string().nullish() }),
      rows: z.array(z.object({ kind: z.enum(["a", "b"]) })),
      amounts: z.array(z.number()).optional(),
    }),
  );
  const plain: Schema = JSON.parse(JSON.stringify(schema));
  expect(fieldRows(plain).map(({ name, kind, required, note }) => [name, kind, required, note])).toEqual([
    ["id", "text", true, "the order"],
    ["user", "object", true, ""],
    ["user.name", "text", false, ""],
    ["rows", "list of object", true, ""],
    ["rows[].kind", '"a" or "b"', true, ""],
    ["amounts", "list of number", false, ""],
  ]);
});
