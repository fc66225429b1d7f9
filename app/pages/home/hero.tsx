/** The top of the landing page: the promise, two calls to action, and the offers beside them. */
import type { Brand } from "#server/brand.ts";
import { ContactUs } from "../../ui/contact-us.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Carousel } from "./carousel.tsx";
import type { CatalogueData } from "./catalogue-data.ts";

export function Hero({ data, brand }: { data: CatalogueData; brand: Brand }) {
  const { market, featured, offers, isCustomer, looksOnly, sells } = data;
  const start = featured[0]?.buy ?? null;
  return (
    <div className="hero">
      <div>
        <h1>{brand.tagline}</h1>
        <p className="lead">
          {isCustomer && looksOnly === null
            ? "Choose what to add. It goes to an account your company has, or to a new one."
            : `${sells} for your business: compare the plans, pay online, and look after every licence in one place.`}
        </p>
        <p className="actions">
          {start !== null && (
            <a className="button" href={start}>
              Get Started
            </a>
          )}
          <ContactUs brand={brand} text="Contact Us" className="button quiet" />
        </p>
      </div>
      <Carousel offers={offers} brand={brand} />
      <ul className="assurances">
        {market.assurances.map((text) => (
          <li key={text}>
            <Icon name="tick" size={18} />
            {text}
          </li>
        ))}
      </ul>
    </div>
  );
}
