/** The OpenAPI document, generated from the calls' own descriptions and the schemas that validate them. */
import { z } from "zod";
import { quantityRequired } from "#server/catalogue/pricing/quantity.ts";
import { brand } from "#server/foundation/brand.ts";
import { english } from "#server/foundation/languages/text.ts";
import * as urls from "#server/foundation/paths.ts";
import { type EndpointDescription, tags } from "./endpoint.ts";
import { type Example, exampleOf } from "./examples.ts";
import { idempotencyKey } from "./idempotency-key.ts";
import { type EndpointEntry, listEndpoints } from "./list-endpoints.ts";

/** The part of JSON Schema that zod emits and the readable page shows. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly [keyword: string]: unknown;
}

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Schema;
  readonly example?: unknown;
}

interface Content {
  readonly [mediaType: string]: { readonly schema: Schema; readonly example?: unknown };
}

interface Header {
  readonly description: string;
  readonly schema: Schema;
}

interface Answer {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Header>>;
  readonly content?: Content;
}

export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly security: readonly Record<string, readonly string[]>[];
  /** Required access. `security` by itself cannot distinguish an order's owner from any signed-in user. */
  readonly "x-needs": EndpointDescription["needs"];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required: true; readonly content: Content };
  readonly responses: Readonly<Record<string, Answer>>;
}

export type Paths = Readonly<Record<string, Readonly<Partial<Record<"get" | "post", Operation>>>>>;

const objectSchema = z.record(z.string(), z.unknown());

function schemaOf(schema: z.ZodType, io: "input" | "output"): Schema {
  const { $schema: _, ...plain } = objectSchema.parse(z.toJSONSchema(schema, { io, unrepresentable: "any" }));
  return plain;
}

/** Meaning of each refusal status, the same for every call. */
export const statusDescriptions: Readonly<Record<number, string>> = {
  400: "Malformed, or a field is invalid: see `fields`.",
  401: "Sign in first, or the token has expired.",
  403: "Your role doesn't allow it, or the request came from another site.",
  404: "Not found, or it belongs to someone else.",
  405: "Method not allowed. See the Allow header.",
  409: "It has changed since you read it, or cannot be done now: read it again.",
  413: "More than 64 KiB.",
  415: "Not JSON.",
  429: "Too many requests. Try again after Retry-After seconds.",
  500: "An error on our side. Quote the request ID to support.",
  502: "A provider rejected it.",
  503: "A provider didn't respond. Try again.",
};

/** A call's refusals: its own, and those implied by its options. */
function refusalsOf({
  method,
  bodyless,
  needs,
  refuses = [],
  limit,
  limited,
}: EndpointDescription): number[] {
  const ofBody = bodyless ? [] : [400, 413, 415];
  const always = method === "post" ? [...ofBody, 403, 405, 500] : [400, 405, 500];
  const more = [...(needs === "account" ? [401] : []), ...(limit !== undefined || limited ? [429] : [])];
  return [...new Set([...always, ...more, ...refuses])].sort((a, b) => a - b);
}

const about: Readonly<Record<(typeof tags)[number], string>> = {
  Account: "Signing in and out, signing up, passwords.",
  Catalogue: "What is on sale.",
  Order: "From a plan to a fulfilled order.",
  Payment: "Paying for an order.",
  "Sign-In": "Choosing the Microsoft or Google account for a paid order.",
  Customer: "A company, its addresses and its accounts at the vendors.",
  Subscription: "A company's subscriptions: adding licenses, renewing.",
  Service: "This document, and whether the store answers.",
};

const security: Record<EndpointDescription["needs"], Operation["security"]> = {
  nobody: [{}],
  optional: [{ bearer: [] }, { token: [] }, { session: [] }, {}],
  order: [{ bearer: [] }, { token: [] }, { session: [] }, {}],
  account: [{ bearer: [] }, { token: [] }, { session: [] }],
};

function parametersOf(path: string, call: EndpointDescription, example: Example): Parameter[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(
    ([, name = ""]): Parameter => ({
      name,
      in: "path",
      required: true,
      schema: { type: "string" },
      ...exampleIn(example.path, name),
    }),
  );
  const key: Parameter = {
    name: "Idempotency-Key",
    in: "header",
    required: false,
    description:
      "Requests with the same key and body are processed once and get the same response for 24 hours. Without a session token it has to be a random UUID (version 4 or 7).",
    schema: schemaOf(idempotencyKey, "input"),
  };
  if (call.method === "post") return [...inPath, ...(call.idempotent ? [key] : [])];
  const { properties = {}, required = [] } = schemaOf(call.input, "input");
  const inQuery = Object.entries(properties).map(
    ([name, { description, ...schema }]): Parameter => ({
      name,
      in: "query",
      required: required.includes(name),
      ...(description !== undefined && { description }),
      schema,
      ...exampleIn(example.send, name),
    }),
  );
  return [...inPath, ...inQuery];
}

function exampleIn(values: unknown, name: string): { example?: unknown } {
  const { [name]: example } = objectSchema.safeParse(values).data ?? {};
  return example === undefined ? {} : { example };
}

/** Headers of every answer, and headers that depend on the status. */
const requestId: Header = {
  description: "Identifies this request in our logs. Quote it to support.",
  schema: { type: "string" },
};
const retryAfter: Header = { description: "Seconds to wait.", schema: { type: "integer" } };
const refusalHeaders: Readonly<Record<number, Readonly<Record<string, Header>>>> = {
  405: { Allow: { description: "The allowed methods.", schema: { type: "string" } } },
  429: { "Retry-After": retryAfter },
  503: { "Retry-After": retryAfter },
};
const nextPage: Header = {
  description: 'The next page\'s address, as `<...>; rel="next"`, while there are more rows.',
  schema: { type: "string" },
};

/** The refusal, with the extra field names that this call's clients expect. */
function refusalSchemaOf({ refusedAs }: EndpointDescription): Schema {
  const common = { $ref: "#/components/schemas/Refusal" };
  if (refusedAs === undefined) return common;
  const said = "what is wrong";
  const properties = Object.fromEntries(
    Object.entries(refusedAs(said)).map(([name, value]): [string, Schema] => [
      name,
      { type: "string", description: value === said ? "the same as `error`" : `here "${value}"` },
    ]),
  );
  return { allOf: [common, { type: "object", properties, required: Object.keys(properties) }] };
}

/**
 * Operation id, such as `getStage` for GET /get/stage. Built from the method and the path's words, so that both spellings of a
 * path have different ids.
 */
function operationIdOf(method: string, path: string): string {
  const words = path
    .split(/[/.]/)
    .map((word) => word.replaceAll(/[^A-Za-z0-9]/g, ""))
    .filter((word) => word !== "" && word !== method);
  return [method, ...words.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)].join("");
}

/** The call's notes, followed by a sentence on its rate limit. */
function descriptionOf({ notes, limit, limited }: EndpointDescription): string | undefined {
  const often =
    limit !== undefined
      ? `At most ${limit.limit} times in ${limit.windowSeconds / 60} minutes from one network, shared with other calls under the limit "${limit.name}".`
      : limited && "Rate limited.";
  const parts = [notes, often].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join(" ");
}

function operationOf({ address, path, call }: EndpointEntry): Operation {
  const json = (schema: Schema, example?: unknown): Content => ({
    "application/json": { schema, ...(example !== undefined && { example }) },
  });
  const example = exampleOf(call.method, address);
  const description = descriptionOf(call);
  const refusals = refusalsOf(call).map((status): [number, Answer] => [
    status,
    {
      description: statusDescriptions[status] ?? "",
      headers: { "X-Request-Id": requestId, ...refusalHeaders[status] },
      content: json(refusalSchemaOf(call)),
    },
  ]);
  const parameters = parametersOf(path, call, example);
  return {
    operationId: operationIdOf(call.method, path),
    tags: [call.tag],
    summary: call.summary,
    ...(description !== undefined && { description }),
    security: security[call.needs],
    "x-needs": call.needs,
    ...(parameters.length > 0 && { parameters }),
    ...(call.method === "post" &&
      !call.bodyless && {
        requestBody: { required: true, content: json(schemaOf(call.input, "input"), example.send) },
      }),
    responses: {
      "200": {
        description: "Done.",
        headers: { "X-Request-Id": requestId, ...(call.linksNextPage && { Link: nextPage }) },
        content: json(schemaOf(call.reply, "output"), example.reply),
      },
      ...Object.fromEntries(refusals),
    },
  };
}

/** Not a JSON call: the browser navigates there. */
const outlook: Operation = {
  operationId: "getAzureAdAuthentication",
  tags: ["Account"],
  summary: "Opens Outlook sign-in in the browser, then returns signed in.",
  security: security.nobody,
  "x-needs": "nobody",
  parameters: [
    {
      name: "next",
      in: "query",
      required: false,
      description: "a path of the store to return to",
      schema: { type: "string" },
    },
  ],
  responses: { "302": { description: "Redirects to Outlook, or to the sign-in page with a message." } },
};

/** Not a JSON call either, but a file with the same access rules as the document's page. */
function pdf(operationId: string, said: { summary: string; id: string; none: string }): Operation {
  return {
    operationId,
    tags: ["Order"],
    summary: said.summary,
    security: security.order,
    "x-needs": "order",
    parameters: [
      { name: "id", in: "path", required: true, description: said.id, schema: { type: "string" } },
    ],
    responses: {
      "200": {
        description: "The document.",
        headers: { "X-Request-Id": requestId },
        content: { "application/pdf": { schema: { type: "string", format: "binary" } } },
      },
      "404": {
        description: said.none,
        content: { "application/json": { schema: { $ref: "#/components/schemas/Refusal" } } },
      },
    },
  };
}

const invoicePdf = pdf("getOrdersInvoicePdf", {
  summary: "A paid order's tax invoice, as a PDF.",
  id: "the order's ID",
  none: "The order doesn't exist, belongs to someone else, or isn't paid yet.",
});
const creditNotePdf = pdf("getCreditNotesPdf", {
  summary: "A credit note, as a PDF.",
  id: "the credit note's ID",
  none: "The credit note doesn't exist, or belongs to someone else's order.",
});

let made: ReturnType<typeof makeDocument> | undefined;

/**
 * Built once per process, because it is the same for everybody.
 * @param storeUrl the store's public URL, as buyers type it
 */
export function openApiDocument(storeUrl: string) {
  made ??= makeDocument(storeUrl);
  return made;
}

function makeDocument(storeUrl: string) {
  const paths: Record<string, Partial<Record<"get" | "post", Operation>>> = {};
  for (const address of listEndpoints()) {
    paths[address.path] = { ...paths[address.path], [address.call.method]: operationOf(address) };
  }
  paths[urls.outlookSignIn()] = { get: outlook };
  paths[urls.invoicePdf("{id}")] = { get: invoicePdf };
  paths[urls.creditNotePdf("{id}")] = { get: creditNotePdf };
  return {
    openapi: "3.1.0" as const,
    info: {
      title: `${brand.name}: the store's calls`,
      version: "1.0.0",
      description:
        "A purchase: POST /create/order with the plan and the account, POST /api/capturepayment to start the payment and again with the checkout's answer, POST /mssignup or POST /google/signup (brio needs neither), then GET /get/stage until `stage` is stage4, and GET /closure. A client that keeps cookies sends the store's own Origin with each POST. Amounts are in rupees or dollars; `amount` is in paise or cents.",
    },
    servers: [{ url: storeUrl }],
    tags: tags.map((name) => ({ name, description: about[name] })),
    paths: Object.fromEntries(Object.entries(paths).sort(([a], [b]) => a.localeCompare(b))) satisfies Paths,
    components: {
      schemas: {
        Refusal: {
          type: "object",
          description: "Every error. Some calls add their own fields, such as `body` or `message`.",
          properties: {
            error: { type: "string", description: "shown to the user" },
            requestId: { type: "string" },
            fields: {
              type: "object",
              description: "field name to error",
              additionalProperties: { type: "string" },
            },
            status: { type: "string", description: "`fail` when the price has changed" },
            Error: { type: "string", description: "`Price has changed`, when it has" },
          },
          required: ["error", "requestId"],
          example: {
            error: "The request is malformed.",
            requestId: "0b8f6f0e-6f5e-4f0e-9d0a-3f0c4f9b7c11",
            fields: { count: english(quantityRequired) },
          },
        },
      },
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
        token: { type: "apiKey", in: "header", name: "Authorization", description: "the token alone" },
        session: {
          type: "apiKey",
          in: "cookie",
          name: "session",
          description: "for browsers; writes must come from the store's own pages",
        },
      },
    },
  };
}
