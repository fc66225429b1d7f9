/** The footer of every page outside a journey: who we are, where, and our phone numbers. */
import { useLocation } from "@remix-run/react";
import * as paths from "#server/paths.ts";
import { telephone, useBrand, useMarkets } from "./brand.ts";
import { Icon } from "./icons.tsx";
import { navigationAt } from "./navigation.ts";

const desks = [
  { key: "sales", label: "Sales" },
  { key: "support", label: "Support" },
  { key: "billing", label: "Billing" },
] as const;

/** Left out on a journey step, which has its own contact link and nothing else to lead the buyer away. */
export function Footer() {
  const brand = useBrand();
  const markets = useMarkets();
  const { pageSidebar } = navigationAt(useLocation().pathname);
  if (brand === null || pageSidebar) return null;
  return (
    <footer className="footer off-paper">
      <div className="footer-parts">
        <div>
          <p className="footer-title">{brand.name}</p>
          <p>{brand.tagline}.</p>
          <p>
            <a href={brand.supportUrl}>{brand.supportEmail}</a>
          </p>
          <ul className="social" aria-label="Follow us">
            {brand.social.map(({ name, url, icon }) => (
              <li key={name}>
                <a href={url}>
                  <Icon name={icon} size={20} />
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </div>
        {brand.phones.map(({ country, ...numbers }) => (
          <section key={country} aria-labelledby={`phones-${country}`}>
            <p className="footer-title" id={`phones-${country}`}>
              Call us in {markets.find(({ code }) => code === country)?.nameInSentence}
            </p>
            <dl className="phones">
              {desks.map(({ key, label }) => (
                <div key={key}>
                  <dt>{label}</dt>
                  <dd>
                    <a href={telephone(numbers[key])}>{numbers[key]}</a>
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <ul className="offices" aria-label="Our offices">
        {brand.offices.map(({ city, place, icon }) => (
          <li key={city}>
            <Icon name={icon} size={44} />
            <span>
              <strong>{city}</strong>
              {place}
            </span>
          </li>
        ))}
      </ul>
      <ul className="footer-links" aria-label="More">
        <li>
          <a href={paths.country()}>Choose your country</a>
        </li>
        <li>
          <a href={paths.apiDocs()}>For developers</a>
        </li>
      </ul>
    </footer>
  );
}
