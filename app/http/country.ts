/** The country whose prices a visitor sees: the one in the URL, else their last choice, else the standard one. */
import type { Country } from "#db/tables/enums.ts";
import { isCountry, standardCountry } from "#server/foundation/countries/registry.ts";
import { countryCookie, readText } from "./cookies.ts";
import type { RequestContext } from "./request-context.ts";

type CountryRequest = Pick<RequestContext, "context" | "raw" | "url">;

export async function countryOf(request: CountryRequest): Promise<Country> {
  return countryInAddress(request) ?? chosenCountry(request);
}

/** The visitor's last chosen country, else the standard one. */
export async function chosenCountry({ context, raw }: CountryRequest): Promise<Country> {
  const chosen = await readText(countryCookie(context.env), raw);
  return chosen !== null && isCountry(chosen) ? chosen : standardCountry;
}

/** countryOf for a page of prices: also remembers the country in the URL. */
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
