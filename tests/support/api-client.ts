/**
 * A client that uses only the calls: no cookies, no pages, the token in a header. Every reply is validated against the call's
 * schema.
 */
import { expect } from "vitest";
import { z } from "zod";
import { listEndpoints } from "#app/api/shared/list-endpoints.ts";
import { HttpBrowser, type TestResponse } from "./http-browser.ts";
import { accountForm, freshEmail } from "./journey.ts";

export const endpointEntries = listEndpoints();

/** Description of a call. @throws Error for an unknown one */
export function endpointAt(method: string, path: string) {
  const found = endpointEntries.find(
    ({ path: pattern, call }) =>
      call.method === method.toLowerCase() &&
      new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(path.replace(/\?.*/, "")),
  );
  if (found === undefined) throw new Error(`No call ${method} ${path}`);
  return found.call;
}

const refusal = z.looseObject({
  error: z.string().min(1),
  requestId: z.string(),
  fields: z.record(z.string(), z.string()).optional(),
});

export interface Reply {
  status: number;
  headers: Headers;
  body: unknown;
}

export class ApiClient {
  readonly browser: HttpBrowser;
  token: string;

  constructor(origin: string, token = "") {
    this.browser = new HttpBrowser(origin);
    this.token = token;
  }

  get(path: string): Promise<Reply> {
    return this.ask("GET", path);
  }

  post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Reply> {
    return this.ask("POST", path, JSON.stringify(body), headers);
  }

  /** Makes a call and validates the reply against its schema: no field missing, none added. */
  async ask(
    method: "GET" | "POST",
    path: string,
    body?: string,
    headers: Record<string, string> = {},
  ): Promise<Reply> {
    const answer = await this.browser.ask(path, {
      method,
      headers: {
        Accept: "application/json",
        ...(body !== undefined && { "Content-Type": "application/json" }),
        ...(this.token !== "" && { Authorization: `Bearer ${this.token}` }),
        ...headers,
      },
      ...(body !== undefined && { body }),
    });
    return replyOf(method, path, answer);
  }
}

export function replyOf(method: string, path: string, answer: TestResponse): Reply {
  expect(answer.headers.get("content-type"), answer.text).toContain("application/json");
  const body: unknown = JSON.parse(answer.text);
  if (answer.status === 200) {
    expect(
      endpointAt(method, path).reply.parse(body),
      `${method} ${path} answers fields it does not promise`,
    ).toEqual(body);
  } else {
    expect(refusal.parse(body).requestId).toBe(answer.headers.get("x-request-id"));
  }
  return { status: answer.status, headers: answer.headers, body };
}

/** Parses a reply that must be a success. */
export function requireSuccess<Shape extends z.ZodType>(shape: Shape, reply: Reply): z.output<Shape> {
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  return shape.parse(reply.body);
}

/** The account form in the calls' format. */
export function accountPayload(email = freshEmail(), country: "IN" | "US" = "IN"): Record<string, string> {
  const { intent: _intent, phoneCode: _code, ...fields } = accountForm(email, country);
  return fields;
}
