/** Lighthouse's four scores on its own idea of a phone: simulated slow 4G, a slow processor. */
import lighthouse from "lighthouse";
import { chromium } from "playwright";
import { chromiumArguments } from "#tests/e2e/chromium-arguments.ts";
import { freePorts } from "#tests/support/ports.ts";

export const categories = ["performance", "accessibility", "best-practices", "seo"] as const;
export type Scores = Record<(typeof categories)[number], number>;

/** @returns the scores of each page, 0 to 100, and what took points off */
export async function lighthouseOf(
  executablePath: string,
  urls: readonly string[],
): Promise<{ scores: Scores; lost: string[] }[]> {
  const [port = 0] = await freePorts(1);
  const browser = await chromium.launch({
    executablePath,
    args: [...chromiumArguments, `--remote-debugging-port=${port}`],
  });
  try {
    const results = [];
    for (const url of urls) results.push(await audit(url, port));
    return results;
  } finally {
    await browser.close();
  }
}

async function audit(url: string, port: number) {
  const result = await lighthouse(url, {
    port,
    output: "json",
    logLevel: "silent",
    onlyCategories: [...categories],
  });
  if (result === undefined) throw new Error(`Lighthouse says nothing of ${url}`);
  const { lhr } = result;
  const score = (category: (typeof categories)[number]) =>
    Math.round((lhr.categories[category]?.score ?? 0) * 100);
  const lost = categories.flatMap((category) =>
    (lhr.categories[category]?.auditRefs ?? []).flatMap(({ id, weight }) => {
      const found = lhr.audits[id];
      const isFull = found?.score === null || found?.score === undefined || found.score >= 0.9;
      return weight > 0 && !isFull ? [`${id}: ${found?.title}`] : [];
    }),
  );
  const scores: Scores = {
    performance: score("performance"),
    accessibility: score("accessibility"),
    "best-practices": score("best-practices"),
    seo: score("seo"),
  };
  return { scores, lost };
}
