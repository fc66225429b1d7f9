/** Shared by the provider tests: a server for the provider's side, a record of requests, and a helper that catches errors. */
import { delay, type HttpHandler, HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { ProviderError } from "#server/integrations/http.ts";

export interface Sent {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: Record<string, string>;
  /** Parsed if it is JSON, else the text. */
  body: unknown;
}

/** Starts a server for one test file; any call without a handler fails the test. */
export function wire(...handlers: HttpHandler[]) {
  const server = setupServer(...handlers);
  beforeAll(() => server.listen({ onUnhandledRequest: "error" }));
  afterEach(() => server.resetHandlers());
  afterAll(() => server.close());
  return server;
}

/** Reads a request as the provider would. */
export async function read(request: Request): Promise<Sent> {
  const url = new URL(request.url);
  const text = await request.clone().text();
  return {
    method: request.method,
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    headers: Object.fromEntries(request.headers),
    body: jsonOrText(text),
  };
}

/** Builds a handler that records every request and answers each with the next reply; the last one repeats. */
export function answering(url: string, ...replies: (() => Response)[]) {
  const sent: Sent[] = [];
  const handler = http.all(url, async ({ request }) => {
    sent.push(await read(request));
    const reply = replies[Math.min(sent.length, replies.length) - 1];
    return reply === undefined ? HttpResponse.error() : reply();
  });
  return { handler, sent };
}

export function json(body: unknown, status = 200, headers: Record<string, string> = {}) {
  return () =>
    new Response(JSON.stringify(body), {
      status,
      headers: { "content-type": "application/json", ...headers },
    });
}

/** Builds a handler that responds later than any test's timeout. */
export function late(url: string) {
  return http.all(url, async () => {
    await delay(500);
    return HttpResponse.json({});
  });
}

/** Returns the ProviderError with which a call fails; anything else fails the test. */
export async function failureOf(call: Promise<unknown>): Promise<ProviderError> {
  try {
    await call;
  } catch (error) {
    expect(error).toBeInstanceOf(ProviderError);
    if (error instanceof ProviderError) return error;
  }
  throw new Error("Expected the call to fail");
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
