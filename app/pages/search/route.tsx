/** `/search`: the plans that match a query, three per page, or the featured services without a query. */

import { isRouteErrorResponse, useLoaderData, useLocation, useRouteError } from "@remix-run/react";
import { z } from "zod";
import { searchItems } from "#server/catalogue/search.ts";
import { standardCountry } from "#server/countries/country.ts";
import { mayOrder } from "#server/orders/draft.ts";
import { whyNotOpen } from "#server/orders/open.ts";
import * as paths from "#server/paths.ts";
import { limits } from "../../http/limits.ts";
import { pageLoader } from "../../http/page.ts";
import { countryCode } from "../../params.ts";
import { useMarkets } from "../../ui/brand.ts";
import { RouteErrorPage, refusalIn } from "../../ui/error-page.tsx";
import type { Handle } from "../../ui/handle.ts";
import { errorPage, indexedPage, type MetaArguments, unindexedPage } from "../../ui/head.ts";
import { takenAlong } from "../../ui/navigation.ts";
import { Notice } from "../../ui/notice.tsx";
import { SearchForm, searchFailed } from "../../ui/search-form.tsx";
import { toCard } from "../home/card.ts";
import { ServiceCard } from "../home/service-card.tsx";
import { Pager } from "./pager.tsx";

const asked = z.object({
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
  country: countryCode.catch(standardCountry),
  /** "true" for an existing customer. */
  TUP: z.literal("true").optional().catch(undefined),
});

export const loader = pageLoader(
  z.unknown(),
  async ({ context, url, session }) => {
    const { query, country, TUP, page: wanted } = asked.parse(Object.fromEntries(url.searchParams));
    const { items, total, page, pages } = await searchItems(context.db, query, { page: wanted });
    const isCustomer = TUP === "true";
    const cards = items.map((item) => {
      const isOpen = whyNotOpen(context.env, item.family, country) === null;
      return toCard(item, country, { isCustomer, mayBuy: isOpen && mayOrder(session) });
    });
    return { query, total, page, pages, cards };
  },
  { limit: limits.search },
);

export const handle: Handle = { sameForEveryone: true };

/** Search results are not indexed, but the featured services shown without a query are. */
export function meta(given: MetaArguments<{ query: string; page: number }> & { error?: unknown }) {
  if (given.error != null) return errorPage(given);
  return given.data?.query || (given.data?.page ?? 1) > 1 ? searched(given) : featured(given);
}
const searched = unindexedPage<{ query: string }>((data) =>
  data?.query ? `Search: ${data.query}` : "Featured services",
);
const featured = indexedPage((_data, { sells }) => ({
  title: "Featured services",
  description: `The plans of ${sells} that most businesses choose, side by side.`,
  path: paths.search(),
}));

export default function Search() {
  const { query, total, page, pages, cards } = useLoaderData<typeof loader>();
  const kept = takenAlong(useLocation(), useMarkets());
  const found = total === 1 ? "1 service" : `${total} services`;
  return (
    <div className="page">
      <h1>{query === "" ? "Featured services" : `Results for “${query}”`}</h1>
      <search aria-label="Search again">
        <SearchForm className="search-again">
          <label>
            What are you looking for?
            <input name="query" type="search" defaultValue={query} maxLength={200} />
          </label>
          <button type="submit">Search</button>
        </SearchForm>
      </search>
      {total === 0 ? (
        <p>
          We found nothing for that. Try a single word such as “email” or “meetings”, or{" "}
          <a href={paths.home(kept)}>see everything we sell</a>.
        </p>
      ) : (
        <>
          <p className="hint">
            {found}, page {page} of {pages}
          </p>
          <h2 className="visually-hidden">Services</h2>
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
    </div>
  );
}

/** A failed search shows a notification, above the links that every error page has. */
export function ErrorBoundary() {
  const error = useRouteError();
  const isFault = !isRouteErrorResponse(error) || error.status === 500;
  return (
    <>
      <Notice message={isFault ? searchFailed : (refusalIn(error)?.message ?? searchFailed)} />
      <RouteErrorPage />
    </>
  );
}
