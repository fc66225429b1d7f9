/** One thread draws the PDFs: a visitor who requests many, at once or over time, does not block others. */
import { describe, expect, test } from "vitest";
import { drawnInTurn } from "#server/billing/documents/pdf-thread.ts";
import * as paths from "#server/foundation/paths.ts";
import { HttpBrowser } from "#tests/support/http-browser.ts";
import { toReview } from "#tests/support/journey.ts";
import { makeQuoteOf } from "#tests/support/quotes.ts";
import { startStore } from "#tests/support/store.ts";

const { stack } = await startStore();

async function quoted() {
  const browser = new HttpBrowser(stack.url);
  return { browser, path: paths.quotePdf(await makeQuoteOf(browser, await toReview(browser))) };
}

/** Opens a PDF like a link in a mail. */
const open = (browser: HttpBrowser, path: string, language = "en") =>
  browser.get(path, { Accept: "text/html", "Accept-Language": language });

describe("a visitor who asks for many PDFs", () => {
  test("fills only their own queue, while another visitor's PDF is drawn at once", async () => {
    const [flooder, other] = [await quoted(), await quoted()];
    const flood = Array.from({ length: 60 }, async () => (await open(flooder.browser, flooder.path)).status);
    const late = await open(other.browser, other.path);
    expect(late.status).toBe(200);
    const statuses = await Promise.all(flood);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    expect(statuses.filter((status) => status === 200).length).toBeLessThan(60);
  });

  test("gets 429 after 120 PDFs in ten minutes, in their language", async () => {
    const { browser, path } = await quoted();
    let drawn = 0;
    let refused = await open(browser, path);
    // A window may end in between and allow as many again.
    for (; refused.status === 200 && drawn <= 240; drawn += 1) refused = await open(browser, path);
    expect(refused.status).toBe(429);
    expect(drawn).toBeGreaterThanOrEqual(120);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(refused.headers.get("content-type")).toContain("text/html");
    expect(refused.text).toContain("You have opened many PDFs in a short time.");
    const hindi = await open(browser, path, "hi");
    expect([hindi.status, hindi.text]).toEqual([
      429,
      expect.stringContaining("आपने कम समय में बहुत सारी PDF खोली हैं।"),
    ]);
    expect((await open(browser.fromElsewhere(), path)).status).toBe(200);
  });
});

describe("drawnInTurn", () => {
  /** Returns drawings that end when the test ends them. */
  function held() {
    const ends: (() => void)[] = [];
    const draw = () => new Promise<void>((resolve) => ends.push(resolve));
    return { ends, draw };
  }

  test("runs one drawing per visitor at a time, in parallel with other visitors", async () => {
    const { ends, draw } = held();
    const mine = Array.from({ length: 3 }, () => drawnInTurn("a", draw));
    const theirs = drawnInTurn("b", draw);
    await Promise.resolve();
    await new Promise(setImmediate);
    expect(ends).toHaveLength(2);
    for (let end = ends.shift(); end !== undefined; end = ends.shift()) {
      end();
      await new Promise(setImmediate);
    }
    await Promise.all([...mine, theirs]);
  });

  test("refuses more than 21 waiting drawings of a visitor until they finish", async () => {
    const { ends, draw } = held();
    const mine = Array.from({ length: 21 }, () => drawnInTurn("c", draw));
    // Not awaited yet: if accepted, it would wait for the others.
    const beyond = drawnInTurn("c", draw).catch((error: unknown) => error);
    await new Promise(setImmediate);
    for (let end = ends.shift(); end !== undefined; end = ends.shift()) {
      end();
      await new Promise(setImmediate);
    }
    await Promise.all(mine);
    expect(await beyond).toMatchObject({ code: "rate_limited", retryAfterSeconds: 5 });
    await expect(drawnInTurn("c", () => Promise.resolve("drawn"))).resolves.toBe("drawn");
  });

  test("continues after a failed drawing of the visitor", async () => {
    await expect(drawnInTurn("d", () => Promise.reject(new Error("dead")))).rejects.toThrow("dead");
    await expect(drawnInTurn("d", () => Promise.resolve("drawn"))).resolves.toBe("drawn");
  });
});

test("logs no unexpected errors", () => {
  expect(stack.unexpectedErrors()).toEqual([]);
});
