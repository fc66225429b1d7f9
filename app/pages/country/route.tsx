/**
 * `/country`: where the visitor's business is. Countries we sell in lead on to their catalogue. The others are not open yet
 * (docs/decisions/countries.md).
 */

import { redirect } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { countries, countryCodes, isCountry, standardCountry } from "#server/countries/country.ts";
import { notFound } from "#server/errors.ts";
import * as paths from "#server/paths.ts";
import { pageLoader } from "../../http/page.ts";
import { countryCode } from "../../params.ts";
import { Callout } from "../../ui/callout.tsx";
import type { Handle } from "../../ui/handle.ts";
import { indexedPage } from "../../ui/head.ts";
import { SubmitButton } from "../../ui/submit-button.tsx";

/** Countries that buyers ask for. Choosing one that we do not sell in yet shows a message. */
const askedFor: readonly { code: string; name: string }[] = [
  { code: "AE", name: "UAE" },
  { code: "SA", name: "Saudi Arabia" },
];
const notOpenYet = askedFor.filter(({ code }) => !isCountry(code));

const choices = [...countryCodes.map((code) => ({ code, name: countries[code].name })), ...notOpenYet];

const asked = z.object({
  country: z.enum(choices.map(({ code }) => code)).optional(),
  /** Which of the two buttons was pressed. */
  go: z.enum(["login", "look"]).default("login"),
});

export const handle: Handle = { sameForEveryone: true };

export const meta = indexedPage<{ where: string }>(({ where }) => ({
  title: "Choose your country",
  description: `Say where your business is: we sell ${where}.`,
  path: paths.country(),
}));

/** @throws DomainError not_found for an unknown country; a redirect for one we sell in */
export const loader = pageLoader(z.unknown(), async ({ url }) => {
  const answer = asked.safeParse(Object.fromEntries(url.searchParams));
  if (!answer.success) throw notFound("country");
  const { country, go } = answer.data;
  const open = countryCode.safeParse(country);
  if (open.success) {
    const catalogue = paths.home({ country: open.data });
    throw redirect(go === "login" ? paths.login(catalogue) : catalogue);
  }
  return {
    choices,
    sold: countryCodes.map((code) => countries[code].nameInSentence).join(" and "),
    where: countryCodes
      .map((code) => `in ${countries[code].nameInSentence}, in ${countries[code].moneyInSentence}`)
      .join(", and "),
    chosen: country ?? standardCountry,
    notOpen: notOpenYet.find(({ code }) => code === country)?.name ?? null,
  };
});

export default function Country() {
  const { choices, sold, chosen, notOpen } = useLoaderData<typeof loader>();
  return (
    <section className="page narrow">
      <h1>Where is your business?</h1>
      {notOpen !== null && (
        <Callout type="info" live>
          <p>
            We are not open yet in {notOpen}. We sell to businesses in {sold} today.
          </p>
        </Callout>
      )}
      <form method="get">
        <div className="field">
          <label htmlFor="country">Country</label>
          <select id="country" name="country" defaultValue={chosen}>
            {choices.map(({ code, name }) => (
              <option key={code} value={code}>
                {name}
              </option>
            ))}
          </select>
        </div>
        <p className="actions">
          <SubmitButton name="go" value="login">
            Login
          </SubmitButton>{" "}
          <SubmitButton name="go" value="look" look="quiet">
            Look around first
          </SubmitButton>
        </p>
      </form>
    </section>
  );
}
