/** Top of the landing page: the offer, two calls to action, our advantages, and the price calculator. */
import type { Brand } from "#server/foundation/brand.ts";
import { ContactUs } from "../../ui/contact-us.tsx";
import { Icon } from "../../ui/icons.tsx";
import { useTranslate } from "../../ui/text.tsx";
import { Calculator } from "./calculator.tsx";
import type { CatalogueData } from "./catalogue-data.ts";

export function Hero({ data, brand }: { data: CatalogueData; brand: Brand }) {
  const text = useTranslate();
  const { market, featured, isCustomer, looksOnly, sells, cost, proof } = data;
  const start = featured[0]?.buy ?? null;
  return (
    <div className="hero">
      <div>
        <p className="tagline" lang="en">
          {brand.tagline}
        </p>
        <h1>{text("home.title", { sells })}</h1>
        <p className="lead">{text(isCustomer && looksOnly === null ? "home.leadAdding" : "home.lead")}</p>
        <p className="actions">
          {start !== null && (
            <a className="button tall" href={start}>
              {text("home.getStarted")}
            </a>
          )}
          <ContactUs brand={brand} text={text("home.contactUs")} className="button tall quiet" />
        </p>
        <ul className="assurances">
          {market.assurances.map((assurance) => (
            <li key={assurance}>
              <Icon name="tick" size={18} />
              {assurance}
            </li>
          ))}
        </ul>
        {proof.length > 0 && (
          <ul className="proof" aria-label={text("home.proof")}>
            {proof.map((badge) => (
              <li key={badge}>
                <Icon name="shield" size={20} />
                {badge}
              </li>
            ))}
          </ul>
        )}
      </div>
      {cost !== null && <Calculator cost={cost} />}
    </div>
  );
}
