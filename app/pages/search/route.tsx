/** `/search`: the plans that match a query, three per page, or the featured services without a query. */

import { isRouteErrorResponse, useLoaderData, useLocation, useRouteError } from "@remix-run/react";
import { z } from "zod";
import { allNames } from "#server/catalogue/families/registry.ts";
import { searchItems } from "#server/catalogue/search.ts";
import * as paths from "#server/foundation/paths.ts";
import { mayOrder } from "#server/orders/draft.ts";
import { whyNotSold } from "#server/orders/market-availability.ts";
import searchScript from "../../enhance/search.ts?worker&url";
import { countryOfPrices } from "../../http/country.ts";
import { pageLoader } from "../../http/page.ts";
import { rateLimits } from "../../http/rate-limits.ts";
import { useMarket } from "../../ui/brand.ts";
import { errorDataIn, RouteErrorPage } from "../../ui/error-page.tsx";
import type { Handle } from "../../ui/handle.ts";
import { errorMeta, type MetaArguments, noindexMeta } from "../../ui/head.ts";
import { indexedPage } from "../../ui/indexed-page.ts";
import { NotificationBanner } from "../../ui/notification-banner.tsx";
import { carriedOverQuery, SearchForm } from "../../ui/search-form.tsx";
import { Rich, useTranslate } from "../../ui/text.tsx";
import { toCard } from "../home/card.ts";
import { ServiceCard } from "../home/service-card.tsx";
import { Pager } from "./pager.tsx";

const querySchema = z.object({
  query: z
    .string()
    .default("")
    .transform((text) =>
      text
        .slice(0, 200)
        .replace(/\p{Cc}/gu, " ")
        .trim(),
    ),
  page: z.coerce.number().catch(1),
  /** "true" for an existing customer. */
  TUP: z.literal("true").optional().catch(undefined),
});

export const loader = pageLoader(
  z.unknown(),
  async (request) => {
    const { context, url, session } = request;
    const country = await countryOfPrices(request);
    const { query, TUP, page: wanted } = querySchema.parse(Object.fromEntries(url.searchParams));
    const { items, total, page, pages } = await searchItems(context.db, query, { page: wanted });
    const isCustomer = TUP === "true";
    const cards = items.map((item) => {
      const isOpen = whyNotSold(context.env, item.family, country) === null;
      return toCard(item, country, request.language, { isCustomer, mayBuy: isOpen && mayOrder(session) });
    });
    const { text } = request;
    const head = {
      searched: text("search.metaSearch", { query }),
      featured: text("search.featured"),
      description: text("search.metaFeatured", { sells: allNames[request.language] }),
    };
    return { query, total, page, pages, cards, head };
  },
  { limit: rateLimits.search },
);

export const handle: Handle = { pageStyles: true, publiclyCacheable: true };

interface Shown {
  query: string;
  page: number;
  head: { searched: string; featured: string; description: string };
}

/** Search results are not indexed, but the featured services shown without a query are. */
export function meta(given: MetaArguments<Shown> & { error?: unknown }) {
  if (given.error != null) return errorMeta(given);
  return given.data?.query || (given.data?.page ?? 1) > 1 ? searched(given) : featured(given);
}
const searched = noindexMeta<Shown>((data) => data?.head[data.query === "" ? "featured" : "searched"] ?? "");
const featured = indexedPage<Shown>(({ head }) => ({
  title: head.featured,
  description: head.description,
  path: paths.search(),
}));

export default function Search() {
  const { query, total, page, pages, cards } = useLoaderData<typeof loader>();
  const kept = carriedOverQuery(useLocation(), useMarket());
  const text = useTranslate();
  return (
    <div className="page">
      <h1>{query === "" ? text("search.featured") : text("search.results", { query })}</h1>
      <search aria-label={text("search.again")}>
        <SearchForm className="search-again">
          <label>
            {text("search.whatFor")}
            <input name="query" type="search" defaultValue={query} maxLength={200} />
          </label>
          <button type="submit">{text("search.search")}</button>
        </SearchForm>
      </search>
      {total === 0 ? (
        <p>
          <Rich
            text={text("search.nothing")}
            parts={{ link: (inner) => <a href={paths.home(kept)}>{inner}</a> }}
          />
        </p>
      ) : (
        <>
          <p className="hint">{text("search.found", { count: total, page, pages })}</p>
          <h2 className="visually-hidden">{text("search.services")}</h2>
          <ul className="services">
            {cards.map((card) => (
              <li key={card.id}>
                <ServiceCard card={card} />
              </li>
            ))}
          </ul>
          <Pager
            page={page}
            pages={pages}
            hrefOf={(number) =>
              paths.search({
                ...(query !== "" && { query }),
                ...(number !== 1 && { page: String(number) }),
                ...kept,
              })
            }
          />
        </>
      )}
      <script type="module" src={searchScript} />
    </div>
  );
}

/** A failed search shows a notification, above the links that every error page has. */
export function ErrorBoundary() {
  const error = useRouteError();
  const searchFailed = useTranslate()("search.failed");
  const isFault = !isRouteErrorResponse(error) || error.status === 500;
  return (
    <>
      <NotificationBanner message={isFault ? searchFailed : (errorDataIn(error)?.message ?? searchFailed)} />
      <RouteErrorPage />
    </>
  );
}
