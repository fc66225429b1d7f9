/**
 * `/country`: where the visitor's business is. Countries we sell in lead on to their catalogue. The others are not open yet
 * (docs/decisions/countries.md#open-countries).
 */

import { redirect } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { countries, countryCodes, isCountry } from "#server/foundation/countries/registry.ts";
import { notFound } from "#server/foundation/errors.ts";
import { languages } from "#server/foundation/languages/language.ts";
import type { PlainMessageKey } from "#server/foundation/languages/messages.ts";
import * as paths from "#server/foundation/paths.ts";
import { chosenCountry } from "../../http/country.ts";
import { pageLoader } from "../../http/page.ts";
import { countryCode } from "../../params.ts";
import { Callout } from "../../ui/callout.tsx";
import type { Handle } from "../../ui/handle.ts";
import { indexedPage } from "../../ui/indexed-page.ts";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { useTranslate } from "../../ui/text.tsx";

/** Countries that buyers ask for. Choosing one that we do not sell in yet shows a message. */
const requestedCountries: readonly { code: string; name: PlainMessageKey }[] = [
  { code: "AE", name: "site.emirates" },
  { code: "SA", name: "site.saudiArabia" },
];
const notOpenYet = requestedCountries.filter(({ code }) => !isCountry(code));

const choices = [...countryCodes, ...notOpenYet.map(({ code }) => code)];

const querySchema = z.object({
  country: z.enum(choices).optional(),
  /** The button that was pressed. */
  go: z.enum(["login", "look"]).default("login"),
});

export const handle: Handle = { publiclyCacheable: true };

export const meta = indexedPage<{ head: { title: string; description: string } }>(({ head }) => ({
  ...head,
  path: paths.country(),
}));

/** @throws DomainError not_found for an unknown country; a redirect for one we sell in */
export const loader = pageLoader(z.unknown(), async (request) => {
  const { url, text, language } = request;
  const answer = querySchema.safeParse(Object.fromEntries(url.searchParams));
  if (!answer.success) throw notFound("country");
  const { country, go } = answer.data;
  const open = countryCode.safeParse(country);
  if (open.success) {
    const catalogue = paths.home({ country: open.data });
    throw redirect(go === "login" ? paths.login(catalogue) : catalogue);
  }
  const toCome = notOpenYet.map(({ code, name }) => ({ code, name: text(name) }));
  const list = new Intl.ListFormat(languages[language].locale);
  const words = countryCodes.map((code) => ({ code, ...countries[code].words[language] }));
  const where = words.map(({ inSentence, money }) => text("site.inMoney", { country: inSentence, money }));
  return {
    choices: [...words.map(({ code, name }) => ({ code, name })), ...toCome],
    sold: list.format(words.map(({ inSentence }) => inSentence)),
    head: {
      title: text("site.chooseCountry"),
      description: text("site.sayWhere", { where: list.format(where) }),
    },
    chosen: country ?? (await chosenCountry(request)),
    notOpen: toCome.find(({ code }) => code === country)?.name ?? null,
  };
});

export default function Country() {
  const { choices, sold, chosen, notOpen } = useLoaderData<typeof loader>();
  const text = useTranslate();
  return (
    <section className="page narrow">
      <h1>{text("site.whereBusiness")}</h1>
      {notOpen !== null && (
        <Callout type="info" live>
          <p>{text("site.notOpen", { country: notOpen, sold })}</p>
        </Callout>
      )}
      <form method="get">
        <div className="field">
          <label htmlFor="country">{text("site.country")}</label>
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
            {text("site.login")}
          </SubmitButton>{" "}
          <SubmitButton name="go" value="look" variant="quiet">
            {text("site.lookAround")}
          </SubmitButton>
        </p>
      </form>
    </section>
  );
}
