/** The landing page: the offers, the catalogue of one family in the prices of one country, questions and help. */
import { useLocation } from "@remix-run/react";
import * as paths from "#server/paths.ts";
import { useBrand } from "../../ui/brand.ts";
import type { IndexedHead, Store } from "../../ui/head.ts";
import { placeWith } from "../../ui/navigation.ts";
import type { CatalogueData } from "./catalogue-data.ts";
import { Choice } from "./choice.tsx";
import { Hero } from "./hero.tsx";
import { QuestionsAndHelp } from "./questions-and-help.tsx";
import { Section } from "./section.tsx";
import { thingsOf } from "./things.ts";

const families = { microsoft: "Microsoft 365", google: "Google Workspace", brio: "brio" };

export function catalogueHead(data: CatalogueData, store: Store): IndexedHead {
  const { service, market } = data;
  return {
    title: `${families[service]} plans for business in ${market.nameInSentence}`,
    description: `Compare and buy ${families[service]} plans for a business in ${market.nameInSentence}, in ${market.moneyInSentence}. Genuine licences, an invoice with every payment, and every licence looked after in one place.`,
    path: paths.catalogue(data),
    things: thingsOf(data, store),
  };
}

export function Catalogue(data: CatalogueData) {
  const { service, country, looksOnly, featured, other, addOns, questions, markets, market } = data;
  const brand = useBrand();
  const place = useLocation();
  const here = (to: { service?: string; country?: string }) => placeWith(place, to);
  return (
    <div className="page home">
      {brand !== null && <Hero data={data} brand={brand} />}
      {looksOnly !== null && <p className="notice info">{looksOnly}</p>}
      <div className="switches">
        <Choice
          label="Service"
          current={service}
          options={[
            { value: "microsoft", text: "Microsoft", href: here({ service: "microsoft" }) },
            { value: "google", text: "Google", href: here({ service: "google" }) },
            // Of the house: named where one is looking at it, and led to further down.
            ...(service === "brio" ? [{ value: "brio", text: "brio", href: here({ service: "brio" }) }] : []),
          ]}
        />
        <Choice
          label="Country"
          current={country}
          options={markets.map(({ code, name }) => ({
            value: code,
            text: name,
            href: here({ country: code }),
          }))}
        />
        <p className="hint">{market.prices}</p>
      </div>
      <Section id="featured" title="Featured Services" cards={featured} />
      <Section id="other" title="Other Services" cards={other} />
      <Section id="add-ons" title="Add-On Services" cards={addOns} />
      {service !== "brio" && (
        <p className="card also">
          <span>
            Also here: a start page for the working day, rooms for calls, and single sign-on with backup.
          </span>
          <a href={here({ service: "brio" })}>brio, our own workplace plans</a>
        </p>
      )}
      {brand !== null && <QuestionsAndHelp questions={questions} country={country} brand={brand} />}
    </div>
  );
}
