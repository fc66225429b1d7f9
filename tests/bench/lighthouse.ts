/** Lighthouse's four scores on its simulated phone: slow 4G and a slow CPU. */
import lighthouse from "lighthouse";
import { type Browser, chromium } from "playwright";
import { z } from "zod";
import { chromiumArguments } from "#tests/e2e/chromium-arguments.ts";
import { freePorts } from "#tests/support/ports.ts";
import { scoreNames as categories, type Scores } from "./budgets.ts";

const placesSchema = z.object({ items: z.array(z.object({ node: z.object({ selector: z.string() }) })) });

/** A separate browser for Lighthouse. */
export interface Auditor {
  /**
   * @param cookie of the visitor; empty for a stranger
   * @returns the scores, 0 to 100, and the audits that lost points
   */
  audit(url: string, cookie: string): Promise<{ scores: Scores; lost: string[] }>;
  close(): Promise<void>;
}

export async function openAuditor(executablePath: string): Promise<Auditor> {
  const [port = 0] = await freePorts(1);
  const browser: Browser = await chromium.launch({
    executablePath,
    args: [...chromiumArguments, `--remote-debugging-port=${port}`],
  });
  return {
    audit: (url, cookie) => audit(url, cookie, port),
    close: () => browser.close(),
  };
}

/** Places on the page, as selectors. */
function placesIn(details: unknown): string {
  const items = placesSchema.safeParse(details).data?.items ?? [];
  return items.map(({ node }) => ` ${node.selector}`).join(",");
}

async function audit(url: string, cookie: string, port: number) {
  const result = await lighthouse(url, {
    port,
    output: "json",
    logLevel: "silent",
    onlyCategories: [...categories],
    ...(cookie !== "" && { extraHeaders: { Cookie: cookie } }),
  });
  if (result === undefined) throw new Error(`No Lighthouse result for ${url}`);
  const { lhr } = result;
  const score = (category: (typeof categories)[number]) =>
    Math.round((lhr.categories[category]?.score ?? 0) * 100);
  const lost = categories.flatMap((category) =>
    (lhr.categories[category]?.auditRefs ?? []).flatMap(({ id, weight }) => {
      const found = lhr.audits[id];
      const isFull = found?.score === null || found?.score === undefined || found.score >= 0.9;
      return weight > 0 && !isFull ? [`${id}: ${found?.title}${placesIn(found?.details)}`] : [];
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
