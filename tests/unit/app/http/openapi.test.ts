/** The OpenAPI document matches the routes, and the readable page shows all of it. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import type { RouteConfigEntry } from "@remix-run/route-config";
import { expect, test } from "vitest";
import { z } from "zod";
import { exampleOf } from "#app/api/shared/examples.ts";
import { listEndpoints } from "#app/api/shared/list-endpoints.ts";
import { type Operation, openApiDocument, type Schema } from "#app/api/shared/openapi-document.ts";
import { fieldRows } from "#app/pages/api-docs/rows.ts";
import routes from "#app/routes.ts";

const storeUrl = "https://store.example";
const document = openApiDocument(storeUrl);

/** Replaces the parameters of a path, whose names do not matter. */
const shapeOf = (url: string) => url.replaceAll(/:\w+|\{\w+\}/g, "{}");
const inDocument = Object.entries(document.paths).flatMap(([url, methods]) =>
  Object.keys(methods).map((method) => `${method.toUpperCase()} ${shapeOf(url)}`),
);

/** Loaders and actions of routes.ts that a builder of calls makes, read from the sources. */
const inRoutes = (routes as RouteConfigEntry[]).flatMap(({ path: url = "", file }) => {
  const source = readFileSync(path.resolve("app", file), "utf8");
  const made = (exported: string, builder: string) =>
    new RegExp(`export const ${exported} = (${builder}\\(|pageOrJson\\w+\\([\\s\\S]*?${builder}\\()`).test(
      source,
    );
  return [
    ...(made("loader", "apiLoader") ? [`GET /${shapeOf(url)}`] : []),
    ...(made("action", "jsonAction") ? [`POST /${shapeOf(url)}`] : []),
  ];
});

test("documents exactly the calls of routes.ts", () => {
  expect(inRoutes.length).toBeGreaterThan(25);
  // Browser navigation and downloads, which are not calls.
  const others = ["GET /azure/ad/authentication/", "GET /credit-notes/{}/pdf", "GET /orders/{}/invoice.pdf"];
  expect(inDocument.filter((call) => !others.includes(call)).sort()).toEqual(inRoutes.sort());
  expect(inDocument).toEqual(expect.arrayContaining(others));
});

/** Every call of docs/specification.md, section 7, without the store's own additions. */
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

test("counts 36 rows of the specification", () => {
  expect(new Set(specified).size).toBe(36);
});

test.each(specified)("documents %s of the specification", (row) => {
  expect(inDocument).toContain(row);
});

test("defines versions, unique ids, response schemas and resolvable references", () => {
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

test("documents authentication, idempotency keys and rate limits", () => {
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
    "405",
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

const operations = Object.entries(document.paths).flatMap(([url, methods]) =>
  Object.entries(methods).map(([method, operation]): [string, Operation] => [
    `${method.toUpperCase()} ${url}`,
    operation,
  ]),
);
const operationOf = (name: string) => new Map(operations).get(name);

test("passes a linter of OpenAPI documents, apart from one trailing slash", async () => {
  const config = await createConfig({ extends: ["recommended"] });
  const problems = await lintFromString({ source: JSON.stringify(document), config });
  const said = problems.map(
    ({ ruleId, severity, location: [place] }) => `${severity} ${ruleId} ${place?.pointer ?? ""}`,
  );
  // The API has no licence, and browser navigation responds only with redirects.
  const expected = [
    "error no-path-trailing-slash #/paths/~1azure~1ad~1authentication~1",
    "warn info-license #/info",
    "warn operation-2xx-response #/paths/~1azure~1ad~1authentication~1/get/responses",
    "warn operation-4xx-response #/paths/~1azure~1ad~1authentication~1/get/responses",
  ];
  expect(said.filter((each) => !expected.includes(each))).toEqual([]);
});

test("declares a security scheme wherever a token has an effect", () => {
  const counted = [
    "GET /api/validate-token",
    "GET /dashboard",
    "POST /create/order",
    "POST /subscriptiondetails",
  ];
  for (const name of counted) {
    expect(operationOf(name)?.security, name).toEqual(
      expect.arrayContaining([{ bearer: [] }, { token: [] }, { session: [] }, {}]),
    );
  }
  expect(operationOf("GET /check/user")?.security).toEqual([{}]);
});

test("declares the field names of refusals for generated clients", () => {
  const namesOf = (name: string, status: string) => {
    const { allOf = [] } = operationOf(name)?.responses[status]?.content?.["application/json"]?.schema ?? {};
    return allOf.flatMap(({ properties = {} }) => Object.keys(properties));
  };
  expect(namesOf("POST /subscriptiondetails", "409")).toEqual(["id", "status", "Error"]);
  expect(namesOf("POST /mssignup", "404")).toEqual(["status", "message", "customerid"]);
  expect(namesOf("POST /api/search", "400")).toEqual(["body"]);
  expect(Object.keys(document.components.schemas.Refusal.properties)).toEqual(
    expect.arrayContaining(["error", "requestId", "fields", "status", "Error"]),
  );
});

test("documents the server, the allowed methods and the Retry-After headers", () => {
  expect(document.servers).toEqual([{ url: storeUrl }]);
  for (const [name, { "x-needs": needs, responses }] of operations) {
    if (responses["200"]?.content?.["application/json"] === undefined) continue;
    expect(Object.keys(responses["405"]?.headers ?? {}), name).toContain("Allow");
    expect(Object.keys(responses["200"]?.headers ?? {}), name).toContain("X-Request-Id");
    for (const status of ["429", "503"].filter((each) => responses[each] !== undefined)) {
      expect(Object.keys(responses[status]?.headers ?? {}), `${name} ${status}`).toContain("Retry-After");
    }
    expect(["nobody", "optional", "order", "account"], name).toContain(needs);
  }
  expect(Object.keys(operationOf("GET /api/get/orders")?.responses["200"]?.headers ?? {})).toContain("Link");
});

test.each(listEndpoints())("$call.method $path: accepts its own example", (given) => {
  const { address, path: url, call } = given;
  const { path: inPath = {}, send = {}, reply } = exampleOf(call.method, address);
  expect(url.replaceAll(/\{(\w+)\}/g, (_, name: string) => inPath[name] ?? "missing")).not.toContain(
    "missing",
  );
  const sent = call.input.safeParse(send);
  expect(sent.error?.issues ?? []).toEqual([]);
  expect(call.reply.parse(reply)).toEqual(reply);
});

test.each([
  ["phoneNumber", "10 digits"],
  ["pincode", "6 digits"],
  ["state", "as the post writes it"],
  ["organisationRegistrationNumber", "PAN"],
])("documents the rule of %s", (field, rule) => {
  const body = operationOf("POST /create/order")?.requestBody?.content["application/json"]?.schema;
  expect(body?.properties?.[field]?.description).toContain(rule);
});

test("shows a row for every field, in lists and objects too", () => {
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
