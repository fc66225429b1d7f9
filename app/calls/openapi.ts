/** The OpenAPI document, made of what the calls say of themselves: the very schemas they parse and promise. */
import { z } from "zod";
import { brand } from "#server/brand.ts";
import { type CallDescription, tags } from "../http/call.ts";
import { idempotencyKey } from "../http/idempotency-key.ts";
import { paths as urls } from "../paths.ts";
import { type CallAddress, callAddresses } from "./addresses.ts";

/** As much of JSON Schema as zod writes and the readable page shows. */
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
}

interface Content {
  readonly "application/json": { readonly schema: Schema };
}

export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly security: readonly Record<string, readonly string[]>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required: true; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>;
}

export type Paths = Readonly<Record<string, Readonly<Partial<Record<"get" | "post", Operation>>>>>;

const objectSchema = z.record(z.string(), z.unknown());

function schemaOf(schema: z.ZodType, io: "input" | "output"): Schema {
  const { $schema: _, ...plain } = objectSchema.parse(z.toJSONSchema(schema, { io, unrepresentable: "any" }));
  return plain;
}

/** What a refusal's status says, of whichever call. */
export const meanings: Readonly<Record<number, string>> = {
  400: "Not well formed, or a field does not hold: `fields` names it.",
  401: "Log in first, or the token is over.",
  403: "Your role does not allow it, or it was sent from another site.",
  404: "There is none, or it is somebody else's.",
  409: "It stands differently now: read it again.",
  413: "More than 64 KiB.",
  415: "Not JSON.",
  429: "Too often: try again after Retry-After seconds.",
  500: "A fault of ours; the request id finds it in our logs.",
  502: "A provider did not accept it.",
  503: "A provider did not answer: try again.",
};

/** Refusals of a call: its own, and those that follow from how it is made. */
function refusalsOf({ method, needs, refuses = [], limit, limited }: CallDescription): number[] {
  const always = method === "post" ? [400, 403, 413, 415, 500] : [400, 500];
  const more = [...(needs === "account" ? [401] : []), ...(limit !== undefined || limited ? [429] : [])];
  return [...new Set([...always, ...more, ...refuses])].sort((a, b) => a - b);
}

const security: Record<CallDescription["needs"], Operation["security"]> = {
  nobody: [{}],
  order: [{ bearer: [] }, { token: [] }, { session: [] }, {}],
  account: [{ bearer: [] }, { token: [] }, { session: [] }],
};

function parametersOf(path: string, call: CallDescription): Parameter[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(
    ([, name = ""]): Parameter => ({ name, in: "path", required: true, schema: { type: "string" } }),
  );
  const key: Parameter = {
    name: "Idempotency-Key",
    in: "header",
    required: false,
    description: "The same key with the same body is done once and answered alike for 24 hours.",
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
    }),
  );
  return [...inPath, ...inQuery];
}

function operationOf({ path, call }: CallAddress): Operation {
  const json = (schema: Content["application/json"]["schema"]): Content => ({
    "application/json": { schema },
  });
  const refusals = refusalsOf(call).map((status) => [
    status,
    { description: meanings[status] ?? "", content: json({ $ref: "#/components/schemas/Refusal" }) },
  ]);
  const parameters = parametersOf(path, call);
  return {
    operationId: `${call.method}${path.replaceAll(/[{}]/g, "").replaceAll("/", "_")}`,
    tags: [call.tag],
    summary: call.summary,
    ...(call.notes !== undefined && { description: call.notes }),
    security: security[call.needs],
    ...(parameters.length > 0 && { parameters }),
    ...(call.method === "post" && {
      requestBody: { required: true, content: json(schemaOf(call.input, "input")) },
    }),
    responses: {
      "200": { description: "Done.", content: json(schemaOf(call.reply, "output")) },
      ...Object.fromEntries(refusals),
    },
  };
}

/** The one row of SPEC section 7 that is no call: the browser goes there. */
const outlook: Operation = {
  operationId: "get_azure_ad_authentication",
  tags: ["Account"],
  summary: "Opens Outlook's sign-in in the browser, which comes back signed in.",
  security: [{}],
  parameters: [
    {
      name: "next",
      in: "query",
      required: false,
      description: "a path of the store to return to",
      schema: { type: "string" },
    },
  ],
  responses: { "302": { description: "To Outlook, or to the login with a message." } },
};

let made: ReturnType<typeof makeDocument> | undefined;

/** Made once a process: it is the same for everybody. */
export function openApiDocument() {
  made ??= makeDocument();
  return made;
}

function makeDocument() {
  const paths: Record<string, Partial<Record<"get" | "post", Operation>>> = {};
  for (const address of callAddresses()) {
    paths[address.path] = { ...paths[address.path], [address.call.method]: operationOf(address) };
  }
  paths[urls.outlookSignIn()] = { get: outlook };
  return {
    openapi: "3.1.0" as const,
    info: {
      title: `${brand.name}: the store's calls`,
      version: "1.0.0",
      description:
        "A purchase: POST /create/order with the plan and the account, POST /api/capturepayment to begin the payment and again with the checkout's answer, POST /mssignup or POST /google/signup, then GET /closure. A client that keeps cookies sends the store's own Origin with each POST. Amounts are rupees or dollars; `amount` is in paise or cents.",
    },
    tags: tags.map((name) => ({ name })),
    paths: Object.fromEntries(Object.entries(paths).sort(([a], [b]) => a.localeCompare(b))) satisfies Paths,
    components: {
      schemas: {
        Refusal: {
          type: "object",
          description:
            "Every refusal; calls add the names the product's own client reads (body, Error, status).",
          properties: {
            error: { type: "string", description: "for the person in front of the screen" },
            requestId: { type: "string" },
            fields: {
              type: "object",
              description: "field to what is wrong with it",
              additionalProperties: { type: "string" },
            },
          },
          required: ["error", "requestId"],
        },
      },
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
        token: { type: "apiKey", in: "header", name: "Authorization", description: "the token alone" },
        session: {
          type: "apiKey",
          in: "cookie",
          name: "session",
          description: "a browser's; its writes must come from the store's own pages",
        },
      },
    },
  };
}
