/**
 * One visit to a page by a phone with an empty cache: its network traffic, and when the page was painted. Both come from the
 * browser itself, bytes from its network events and paints from its trace, so that a page without scripts is measured in the same
 * way.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Browser, CDPSession } from "playwright";
import { z } from "zod";
import * as paths from "#server/foundation/paths.ts";
import type { HttpBrowser } from "#tests/support/http-browser.ts";
import { type Kind, kinds, type Paint, type Traffic } from "./budgets.ts";

export interface Line {
  bytesPerSecond: number;
  latencyMs: number;
  /** Factor by which the phone's CPU is slower. */
  cpu: number;
}

/** 400 kbit/s both ways, 400 ms latency, a CPU four times slower. */
export const slowLine: Line = { bytesPerSecond: 50_000, latencyMs: 400, cpu: 4 };

export interface Visit {
  traffic: Traffic;
  paint: Paint;
}

const phone = {
  viewport: { width: 412, height: 823 },
  deviceScaleFactor: 1.75,
  isMobile: true,
  hasTouch: true,
};
/** Path that an open page polls (app/enhance/session-watch.ts), which is not part of a visit's cost. */
const polledPath = paths.validateToken();
/** Time without requests after which the page counts as loaded. */
const quietMs = 700;

export async function visit(
  browser: Browser,
  url: string,
  { visitor, scripts, line }: { visitor?: HttpBrowser; scripts: boolean; line?: Line },
): Promise<Visit> {
  const context = await browser.newContext({ ...phone, locale: "en-IN", javaScriptEnabled: scripts });
  try {
    const cookies = Object.entries(visitor?.cookies() ?? {});
    if (cookies.length > 0) await context.addCookies(cookies.map(([name, value]) => ({ name, value, url })));
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    const wire = await watchWire(session, new URL(url).origin);
    if (line !== undefined) await slowDown(session, line);
    const trace = await startTrace(browser);
    const response = await page.goto(url, { waitUntil: "load", timeout: 60_000 });
    if (response === null || response.url() !== url || response.status() >= 500) {
      throw new Error(`${url} answered ${response?.status()} at ${response?.url()}`);
    }
    await wire.quiet();
    const events = await trace.end();
    return { traffic: wire.traffic(), paint: paintIn(events, url) };
  } finally {
    await context.close();
  }
}

async function slowDown(session: CDPSession, line: Line): Promise<void> {
  await session.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: line.latencyMs,
    downloadThroughput: line.bytesPerSecond,
    uploadThroughput: line.bytesPerSecond,
  });
  await session.send("Emulation.setCPUThrottlingRate", { rate: line.cpu });
}

async function watchWire(session: CDPSession, origin: string) {
  const underWay = new Map<string, { url: string; kind: Kind }>();
  const bytes: Record<Kind, number> = {
    document: 0,
    stylesheet: 0,
    script: 0,
    image: 0,
    font: 0,
    other: 0,
  };
  const foreign: string[] = [];
  const react: string[] = [];
  const reading: Promise<void>[] = [];
  let requests = 0;
  let lastAt = performance.now();

  session.on("Network.requestWillBeSent", ({ requestId, request, type }) => {
    if (request.url.startsWith("data:") || request.url === `${origin}${polledPath}`) return;
    lastAt = performance.now();
    if (new URL(request.url).origin !== origin) foreign.push(request.url);
    underWay.set(requestId, { url: request.url, kind: kindOf(type, request.url) });
  });
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const request = underWay.get(requestId);
    if (request === undefined) return;
    lastAt = performance.now();
    underWay.delete(requestId);
    requests += 1;
    bytes[request.kind] += encodedDataLength;
    if (request.kind === "script") reading.push(lookForReact(requestId, request.url));
  });
  session.on("Network.loadingFailed", ({ requestId }) => {
    lastAt = performance.now();
    underWay.delete(requestId);
  });

  async function lookForReact(requestId: string, url: string): Promise<void> {
    const { body } = await session.send("Network.getResponseBody", { requestId });
    // Both of React's builds contain the property through which copies detect each other.
    if (/__SECRET_INTERNALS_DO_NOT_USE|__reactFiber/.test(body)) react.push(url);
  }

  await session.send("Network.enable");
  return {
    async quiet(): Promise<void> {
      const giveUpAt = performance.now() + 20_000;
      while (performance.now() < giveUpAt) {
        if (underWay.size === 0 && performance.now() - lastAt > quietMs) break;
        await sleep(50);
      }
      await Promise.all(reading);
    },
    traffic: (): Traffic => ({ requests, bytes, foreign, react }),
  };
}

function kindOf(type: string | undefined, url: string): Kind {
  // A prefetched resource has no type.
  if (url.endsWith(".css")) return "stylesheet";
  if (url.endsWith(".js")) return "script";
  if (url.endsWith(".svg")) return "image";
  return kinds.find((kind) => kind === type?.toLowerCase()) ?? "other";
}

const traceEvent = z.object({
  name: z.string(),
  ts: z.number(),
  args: z
    .object({
      data: z
        .object({
          documentLoaderURL: z.string(),
          navigationId: z.string(),
          score: z.number(),
          had_recent_input: z.boolean(),
          is_main_frame: z.boolean(),
          isMainFrame: z.boolean(),
          isOutermostMainFrame: z.boolean(),
        })
        .partial(),
    })
    .partial()
    .optional(),
});
type TraceEvent = z.infer<typeof traceEvent>;

async function startTrace(browser: Browser): Promise<{ end(): Promise<TraceEvent[]> }> {
  const session = await browser.newBrowserCDPSession();
  const events: TraceEvent[] = [];
  session.on("Tracing.dataCollected", ({ value }) => {
    for (const event of value) {
      const parsed = traceEvent.safeParse(event);
      if (parsed.success) events.push(parsed.data);
    }
  });
  const complete = new Promise((resolve) => session.once("Tracing.tracingComplete", resolve));
  await session.send("Tracing.start", {
    transferMode: "ReportEvents",
    traceConfig: { includedCategories: ["loading", "blink.user_timing"], excludedCategories: ["*"] },
  });
  return {
    async end() {
      await session.send("Tracing.end");
      await complete;
      await session.detach();
      return events;
    },
  };
}

/** @throws Error when nothing was painted */
function paintIn(events: readonly TraceEvent[], url: string): Paint {
  const start = events.findLast(
    ({ name, args }) => name === "navigationStart" && args?.data?.documentLoaderURL === url,
  );
  if (start === undefined) throw new Error(`The trace has no start of ${url}`);
  const id = start.args?.data?.navigationId;
  const candidates = events.filter(
    ({ name, args }) => name === "largestContentfulPaint::Candidate" && args?.data?.navigationId === id,
  );
  const last = candidates.toSorted((a, b) => a.ts - b.ts).at(-1);
  if (last === undefined) throw new Error(`The trace has no paint of ${url}`);
  const shifts = events.filter(
    ({ name, ts, args }) => name === "LayoutShift" && ts > start.ts && args?.data?.had_recent_input !== true,
  );
  return {
    lcpMs: (last.ts - start.ts) / 1_000,
    // The sum, which is an upper bound of the worst session window that browsers report.
    cls: shifts.reduce((sum, { args }) => sum + (args?.data?.score ?? 0), 0),
  };
}
