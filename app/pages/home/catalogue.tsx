/** The landing page: the offers, one family's catalogue in one country's prices, questions and help. */
import { useLocation } from "@remix-run/react";
import { useBrand } from "../../ui/brand.ts";
import type { IndexedHead, Store } from "../../ui/head.ts";
import { placeWith } from "../../ui/navigation.ts";
import type { CatalogueData } from "./catalogue-data.ts";
import { Choice } from "./choice.tsx";
import { Hero } from "./hero.tsx";
import { QuestionsAndHelp } from "./questions-and-help.tsx";
import { Section } from "./section.tsx";
import { thingsOf } from "./things.ts";

export function catalogueHead(data: CatalogueData, store: Store): IndexedHead {
  const { serviceName, market } = data;
  return {
    title: `${serviceName} plans for business in ${market.nameInSentence}`,
    description: `Compare and buy ${serviceName} plans for a business in ${market.nameInSentence}, in ${market.moneyInSentence}. Genuine licences, an invoice with every payment, and every licence looked after in one place.`,
    path: data.path,
    things: thingsOf(data, store),
  };
}

export function Catalogue(data: CatalogueData) {
  const {
    service,
    services,
    also,
    country,
    looksOnly,
    closed,
    featured,
    other,
    addOns,
    questions,
    markets,
    market,
  } = data;
  const brand = useBrand();
  const place = useLocation();
  const here = (to: { service?: string; country?: string }) => placeWith(place, to);
  return (
    <div className="page home">
      {brand !== null && <Hero data={data} brand={brand} />}
      {closed !== null && <p className="notice info">{closed}</p>}
      {looksOnly !== null && <p className="notice info">{looksOnly}</p>}
      <div className="switches">
        <Choice
          label="Service"
          current={service}
          options={services.map(({ value, text }) => ({ value, text, href: here({ service: value }) }))}
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
      {also.map((family) => (
        <p key={family.service} className="card also">
          <span>{family.text}</span>
          <a href={here({ service: family.service })}>{family.link}</a>
        </p>
      ))}
      {brand !== null && <QuestionsAndHelp questions={questions} country={country} brand={brand} />}
    </div>
  );
}
