/** `/sitemap.xml`: every page that search engines may list, under its canonical address. */
import { listDashboard } from "#server/catalogue/items.ts";
import * as paths from "#server/foundation/paths.ts";
import { isSoldIn } from "#server/orders/market-availability.ts";
import { fileLoader } from "../api/shared/route.ts";
import { screens } from "../families/registry.ts";
import { canonicalQuery } from "../pages/compare/query.ts";
import { canonicalCataloguePath } from "../pages/home/catalogue-query.ts";
import { countryCode, familyName } from "../params.ts";
import { legalPages } from "../ui/legal-pages.ts";

export const loader = fileLoader(async ({ context: { db, env } }) => {
  const plans: string[] = [];
  for (const service of familyName.options) {
    const { featured, other } = await listDashboard(db, service);
    for (const country of countryCode.options) {
      plans.push(
        canonicalCataloguePath({ service, country }),
        paths.compare(canonicalQuery({ service, country })),
      );
      if (screens[service].choosing !== null) plans.push(paths.choose(canonicalQuery({ service, country })));
      if (!isSoldIn(env, service, country)) continue;
      plans.push(
        ...[...featured, ...other].map(({ id }) => paths.newOrder({ family: service, item: id, country })),
      );
    }
  }
  const others = [
    ...legalPages().map(({ path }) => path),
    paths.search(),
    paths.country(),
    paths.login(),
    paths.signup(),
    paths.apiDocs(),
  ];
  const entries = [...plans, ...others]
    .map((path) => `<url><loc>${escaped(new URL(path, env.PUBLIC_URL).href)}</loc></url>`)
    .join("\n");
  return new Response(
    `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries}\n</urlset>\n`,
    { headers: { "Content-Type": "application/xml; charset=utf-8" } },
  );
});

function escaped(url: string): string {
  return url.replaceAll("&", "&amp;");
}
