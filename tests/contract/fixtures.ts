/**
 * Vendors' documented responses as fixtures, each with its source. A client reads a fixture as if the vendor had sent it, and the
 * parts that it reads must be in every response of the vendor, and of the sandbox.
 */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { vi } from "vitest";
import { z } from "zod";

const fixtureSchema = z.strictObject({
  /** The document's public title or path. */
  source: z.string().min(10),
  /** "POST /v1/customers/{customer}/carts": braces match any one segment. */
  call: z.string().regex(/^(GET|POST|PUT|PATCH|DELETE) \//),
  status: z.int(),
  /** Names of the fixtures for the client's other calls. */
  with: z.array(z.string()).default([]),
  body: z.unknown(),
});
type Documented = z.infer<typeof fixtureSchema>;
export type Fixture = Documented & { name: string; beside: readonly Documented[] };

export type Vendor = "partner-center" | "google" | "razorpay" | "gst" | "gsp";

const folder = path.join(import.meta.dirname, "fixtures");

export function fixturesOf(vendor: Vendor): Fixture[] {
  return readdirSync(path.join(folder, vendor))
    .filter((file) => file.endsWith(".json"))
    .map((file) => path.basename(file, ".json"))
    .map((name) => {
      const fixture = read(vendor, name);
      return { name, ...fixture, beside: fixture.with.map((other) => read(vendor, other)) };
    });
}

function read(vendor: Vendor, name: string): Documented {
  return fixtureSchema.parse(JSON.parse(readFileSync(path.join(folder, vendor, `${name}.json`), "utf8")));
}

/** Whether a request is the call of a fixture. */
export function isCall({ call }: Pick<Fixture, "call">, request: { method: string; path: string }): boolean {
  const [method = "", place = ""] = call.split(" ");
  const pattern = place.replace(/[.*+?^$()[\]\\]/g, "\\$&").replace(/\{[^}]+\}/g, "[^/:]+");
  return request.method === method && new RegExp(`${pattern}$`).test(request.path);
}

/** The outcome of a call, and the paths in the fixture's body that the client read, such as `items[].id`. */
export interface Reading {
  value: unknown;
  error: unknown;
  keys: ReadonlySet<string>;
}

const token = JSON.stringify({ access_token: "token", token_type: "Bearer", expires_in: "3599" });

/** Makes the call while every URL responds with the fixture, except those of tokens and of the fixtures in `with`. */
export async function readFixture(
  { status, body, beside }: Fixture,
  call: () => Promise<unknown>,
): Promise<Reading> {
  const text = JSON.stringify(body);
  const keys = new Set<string>();
  const parse = JSON.parse;
  const fetching = vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    if (String(init?.body ?? "").includes("grant_type=")) return new Response(token);
    const request = { method: init?.method ?? "GET", path: new URL(String(input)).pathname };
    const other = beside.find((each) => isCall(each, request));
    return other === undefined
      ? new Response(text, { status })
      : new Response(JSON.stringify(other.body), { status: other.status });
  });
  const parsing = vi.spyOn(JSON, "parse").mockImplementation((given: string) => {
    const parsed: unknown = parse(given);
    return given === text ? watched(parsed, "", keys) : parsed;
  });
  try {
    return await call().then(
      (value) => ({ value, error: null, keys }),
      (error: unknown) => ({ value: null, error, keys }),
    );
  } finally {
    parsing.mockRestore();
    fetching.mockRestore();
  }
}

/** A proxy that records every key that is read by name, but not those of an object that is copied unread. */
function watched(value: unknown, at: string, keys: Set<string>): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    keys.add(`${at}[]`);
    return value.map((item) => watched(item, `${at}[]`, keys));
  }
  let isCopied = false;
  return new Proxy(value, {
    get(target, key) {
      const found: unknown = Reflect.get(target, key);
      if (isCopied || typeof key !== "string" || !Object.hasOwn(target, key)) return found;
      const below = at === "" ? key : `${at}.${key}`;
      keys.add(below);
      return watched(found, below, keys);
    },
    ownKeys(target) {
      isCopied = true;
      return Reflect.ownKeys(target);
    },
  });
}

/**
 * Parts that a response lacks although the client reads them in the documented one: a key, or its type.
 * @returns one line each; empty when the response has the documented shape
 */
export function missingIn(answer: unknown, documented: unknown, keys: ReadonlySet<string>): string[] {
  return [...keys].flatMap((key) => {
    const wanted = new Set(typesAt(documented, key.split(".")));
    const found = new Set(typesAt(answer, key.split(".")));
    // If only null is documented, the type is unknown.
    if ([...wanted].every((type) => type === "null")) return [];
    if ([...wanted].some((type) => found.has(type))) return [];
    return [
      `${key} is ${[...found].join(" or ") || "missing"}, and documented as ${[...wanted].join(" or ")}`,
    ];
  });
}

function typesAt(value: unknown, [step, ...rest]: readonly string[]): string[] {
  if (step === undefined) return [value === null ? "null" : Array.isArray(value) ? "array" : typeof value];
  const key = step.replace(/(\[\])+$/, "");
  const depth = (step.length - key.length) / 2;
  const held: unknown =
    key === "" ? value : typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
  if (held === undefined) return [];
  let all: unknown[] = [held];
  for (let level = 0; level < depth; level += 1) all = all.flatMap((one) => (Array.isArray(one) ? one : []));
  return all.flatMap((one) => typesAt(one, rest));
}
