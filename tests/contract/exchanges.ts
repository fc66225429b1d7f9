/** Records what goes over the wire while a suite runs, to look at what the clients do not hand on: headers, statuses, whole answers. */
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

/** For the top of a suite. */
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

/** The answers to the call of a fixture, of its status. */
export function answersTo(exchanges: readonly Exchange[], fixture: Fixture): unknown[] {
  return exchanges
    .filter((one) => one.status === fixture.status && isCall(fixture, one))
    .map(({ body }) => body);
}

/**
 * How the recorded answers differ from the documented one.
 * @param read makes the fixture's call
 * @returns none when at least one answer has all that the client looks at
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
