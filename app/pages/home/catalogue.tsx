/** The landing page: the offers, one family's catalogue in one country's prices, questions and help. */
import { useLocation } from "@remix-run/react";
import * as paths from "#server/foundation/paths.ts";
import homeScript from "../../enhance/home.ts?worker&url";
import stylesUrl from "../../styles/app.css?url";
import catalogueStylesUrl from "../../styles/catalogue.css?url";
import { useBrand } from "../../ui/brand.ts";
import type { IndexedHead } from "../../ui/indexed-page.ts";
import { pathWithQuery } from "../../ui/navigation.ts";
import { useTranslate } from "../../ui/text.tsx";
import { CardRow } from "./card-row.tsx";
import { Carousel } from "./carousel.tsx";
import type { CatalogueData } from "./catalogue-data.ts";
import { Hero } from "./hero.tsx";
import { QuestionsAndHelp } from "./questions-and-help.tsx";
import { SegmentedLinks } from "./segmented-links.tsx";

export function catalogueHead({ head, path, things }: CatalogueData): IndexedHead {
  return { ...head, path, things };
}

export function Catalogue(data: CatalogueData) {
  const {
    own,
    service,
    isCustomer,
    services,
    also,
    country,
    looksOnly,
    closed,
    offers,
    featured,
    other,
    addOns,
    questions,
    markets,
    market,
  } = data;
  const brand = useBrand();
  const text = useTranslate();
  const place = useLocation();
  const here = (to: { service?: string; country?: string }) => pathWithQuery(place, to);
  return (
    <div className="page home">
      {own.length > 0 && (
        <nav aria-label={text("home.own")}>
          <p className="actions">
            {own.map(({ href, words }) => (
              <a key={href} href={href}>
                {words}
              </a>
            ))}
          </p>
        </nav>
      )}
      {brand !== null && <Hero data={data} brand={brand} />}
      {/* The first screen has its styles inline: only the content below it waits for these. */}
      <link rel="stylesheet" href={stylesUrl} />
      <link rel="stylesheet" href={catalogueStylesUrl} />
      {brand !== null && <Carousel offers={offers} brand={brand} />}
      {closed !== null && <p className="notice info">{closed}</p>}
      {looksOnly !== null && <p className="notice info">{looksOnly}</p>}
      <div className="switches">
        <SegmentedLinks
          label={text("catalogue.service")}
          current={service}
          options={services.map(({ value, text: name }) => ({
            value,
            text: name,
            href: here({ service: value }),
          }))}
        />
        <SegmentedLinks
          label={text("catalogue.country")}
          current={country}
          options={markets.map(({ code, name }) => ({
            value: code,
            text: name,
            href: here({ country: code }),
          }))}
        />
        <p className="hint">
          {market.prices}{" "}
          <a href={paths.compare({ service, country, TUP: isCustomer ? "true" : undefined })}>
            {text("compare.these")}
          </a>
        </p>
      </div>
      <CardRow id="featured" title={text("catalogue.featured")} cards={featured} />
      <CardRow id="other" title={text("catalogue.other")} cards={other} />
      <CardRow id="add-ons" title={text("catalogue.addOns")} cards={addOns} />
      {also.map((family) => (
        <p key={family.service} className="card also">
          <span>{family.text}</span>
          <a href={here({ service: family.service })}>{family.link}</a>
        </p>
      ))}
      {brand !== null && <QuestionsAndHelp questions={questions} country={country} brand={brand} />}
      <script type="module" src={homeScript} />
    </div>
  );
}
