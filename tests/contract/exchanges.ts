/** Records HTTP exchanges while a suite runs, for what the clients do not return: headers, statuses, whole responses. */
import { afterAll, beforeAll, vi } from "vitest";
import { type Fixture, isCall, missingIn, readFixture } from "./fixtures.ts";

export interface Exchange {
  method: string;
  path: string;
  sent: Headers;
  status: number;
  got: Headers;
  body: unknown;
}

/** Call at the top of a suite. */
export function recordExchanges(): Exchange[] {
  const exchanges: Exchange[] = [];
  beforeAll(() => {
    const real = globalThis.fetch;
    vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
      const response = await real(input, init);
      const text = await response.clone().text();
      exchanges.push({
        method: init?.method ?? "GET",
        path: new URL(String(input)).pathname,
        sent: new Headers(init?.headers),
        status: response.status,
        got: response.headers,
        body: jsonOf(text),
      });
      return response;
    });
  });
  afterAll(() => {
    vi.restoreAllMocks();
  });
  return exchanges;
}

/** The responses to a fixture's call, with its status. */
export function answersTo(exchanges: readonly Exchange[], fixture: Fixture): unknown[] {
  return exchanges
    .filter((one) => one.status === fixture.status && isCall(fixture, one))
    .map(({ body }) => body);
}

/**
 * Differences between the recorded responses and the documented one.
 * @param read makes the fixture's call
 * @returns an empty list when at least one response has everything that the client reads
 */
export async function differencesFrom(
  exchanges: readonly Exchange[],
  fixture: Fixture,
  read: () => Promise<unknown>,
): Promise<string[]> {
  const answers = answersTo(exchanges, fixture);
  if (answers.length === 0) return [`${fixture.call} was not answered with ${fixture.status}`];
  const { keys } = await readFixture(fixture, read);
  const all = answers.map((answer) => missingIn(answer, fixture.body, keys));
  return all.reduce((fewest, each) => (each.length < fewest.length ? each : fewest));
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
