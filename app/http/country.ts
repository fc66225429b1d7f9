/** The country whose prices a visitor sees: the address's, else the one they chose last, else the standard one. */
import type { Country } from "#db/tables/enums.ts";
import { isCountry, standardCountry } from "#server/foundation/countries/registry.ts";
import { countryCookie, readText } from "./cookies.ts";
import type { RequestContext } from "./request-context.ts";

type CountryRequest = Pick<RequestContext, "context" | "raw" | "url">;

export async function countryOf(request: CountryRequest): Promise<Country> {
  return countryInAddress(request) ?? chosenCountry(request);
}

/** The country that the visitor chose last, else the standard one. */
export async function chosenCountry({ context, raw }: CountryRequest): Promise<Country> {
  const chosen = await readText(countryCookie(context.env), raw);
  return chosen !== null && isCountry(chosen) ? chosen : standardCountry;
}

/** As countryOf, for a page of prices: a country in its address is also remembered. */
export async function countryOfPrices(
  request: CountryRequest & Pick<RequestContext, "responseHeaders">,
): Promise<Country> {
  const known = await chosenCountry(request);
  const country = countryInAddress(request) ?? known;
  if (country !== known)
    request.responseHeaders.append("Set-Cookie", await countryCookie(request.context.env).serialize(country));
  return country;
}

function countryInAddress({ url }: CountryRequest): Country | null {
  const requested = url.searchParams.get("country");
  return requested !== null && isCountry(requested) ? requested : null;
}
