/**
 * What a visitor on a slow line may be made to wait for (docs/decisions/pages.md#byte-budgets), and whether what was measured keeps to it.
 */

const kB = 1_000;

export const budgets = {
  /** Bytes on the wire: compressed, with the response's headers. */
  document: 14 * kB,
  stylesheet: 12 * kB,
  /** Scripts of a page that is not hydrated: no React. */
  plainScript: 6 * kB,
  hydratedScript: 96.2 * kB,
  homeLcpMs: 900,
  /** A step of an order, with and without scripts. */
  hydratedLcpMs: 1_300,
  plainLcpMs: 1_400,
  cls: 0.1,
  /** A Desk page in a store of 100,000 orders, at the 95th percentile (desk.ts). */
  deskPageMs: 300,
  /** Response time, or rows read by a job, in a store of 1,000,000 orders relative to one of 1,000 (scale.ts). */
  scaleRatio: 1.3,
  /** Time to fulfil orders queued behind 600 mails, relative to the time without them (scale.ts). */
  behindMailsRatio: 1.3,
  /** Positions by which an order's fulfilment may be out of turn, of 2,000 paid at once (scale.ts). */
  ordersOutOfTurn: 100,
  /** CPU time of any request of 8 kB, the minimum of five (cost.ts). */
  request: { webMs: 50, databaseMs: 200 },
  /** Minimum scores out of 100, the median of three. A page that excludes crawlers loses SEO by design. */
  lighthouse: {
    accessibility: 100,
    "best-practices": 100,
    seo: 100,
    performance: { home: 100, plain: 98, hydrated: 90 },
  },
} as const;

export const kinds = ["document", "stylesheet", "script", "image", "font", "other"] as const;
export type Kind = (typeof kinds)[number];

/** Network traffic of one page with an empty cache. */
export interface Traffic {
  requests: number;
  bytes: Record<Kind, number>;
  /** URLs of other sites. */
  foreign: string[];
  /** Scripts that contain React. */
  react: string[];
}

export interface Paint {
  lcpMs: number;
  cls: number;
}

/** @returns a sentence for each exceeded budget */
export function brokenByTraffic(traffic: Traffic, { hydrated }: { hydrated: boolean }): string[] {
  const { bytes, foreign, react } = traffic;
  const over = (what: string, spent: number, budget: number) =>
    spent > budget ? [`${what} ${inKb(spent)} KB, of ${inKb(budget)}`] : [];
  return [
    ...over("HTML", bytes.document, budgets.document),
    ...over("CSS", bytes.stylesheet, budgets.stylesheet),
    ...over("script", bytes.script, hydrated ? budgets.hydratedScript : budgets.plainScript),
    ...over("fonts", bytes.font, 0),
    ...foreign.map((url) => `asks another site: ${url}`),
    ...(hydrated ? [] : react.map((url) => `ships React and needs none: ${url}`)),
  ];
}

export function brokenByPaint(
  { lcpMs, cls }: Paint,
  { isHome, hydrated }: { isHome: boolean; hydrated: boolean },
): string[] {
  const most = isHome ? budgets.homeLcpMs : hydrated ? budgets.hydratedLcpMs : budgets.plainLcpMs;
  return [
    ...(lcpMs > most ? [`LCP ${Math.round(lcpMs)} ms, of ${most}`] : []),
    ...(cls > budgets.cls ? [`CLS ${cls.toFixed(3)}, of ${budgets.cls}`] : []),
  ];
}

export type Scores = Record<"performance" | "accessibility" | "best-practices" | "seo", number>;

/** @returns a sentence for each score below its budget */
export function brokenByScores(
  scores: Scores,
  { isHome, hydrated, indexed }: { isHome: boolean; hydrated: boolean; indexed: boolean },
): string[] {
  const { performance, seo, ...others } = budgets.lighthouse;
  const least = {
    ...others,
    seo: indexed ? seo : 0,
    performance: isHome ? performance.home : hydrated ? performance.hydrated : performance.plain,
  };
  return scoreNames
    .filter((name) => scores[name] < least[name])
    .map((name) => `Lighthouse ${name} ${scores[name]}, of ${least[name]}`);
}

export const scoreNames = ["performance", "accessibility", "best-practices", "seo"] as const;

export function inKb(bytes: number): string {
  return (bytes / kB).toFixed(1);
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) throw new Error("No values to take the median of");
  return middle;
}
