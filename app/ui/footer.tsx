/**
 * The footer of every page: the seller and its terms, and outside of an order our contacts and the choices of a language and a
 * country. It never changes while a page is open, so only the server renders it: a hydrated page keeps the markup, and its script
 * does not contain it.
 */
import { useLocation } from "@remix-run/react";
import * as paths from "#server/foundation/paths.ts";
import { telephone, useBrand, useMarkets, useSeller } from "./brand.ts";
import { Icon } from "./icons.tsx";
import { LanguageSwitch } from "./language-switch.tsx";
import { legalPages } from "./legal-pages.ts";
import { inMarket, marketAt, navigationAt, type PageLink } from "./navigation.ts";
import { PageLinks } from "./page-links.tsx";
import type { StoreHeadData } from "./store-head-data.ts";
import { Rich, useTranslate } from "./text.tsx";
import { Wordmark } from "./wordmark.tsx";

const desks = ["sales", "support", "billing"] as const;

const legalLinks = (): readonly PageLink[] =>
  legalPages().map(({ path, name }) => ({ label: name, href: path }));
/** Further pages, in this order. */
const links = (): readonly PageLink[] => [
  { label: "site.chooseCountry", href: paths.country() },
  { label: "site.developers", href: paths.apiDocs() },
  ...legalLinks(),
];
const linksOfStep = (): readonly PageLink[] => [
  { label: "paying.methodsTitle", href: paths.paymentMethods() },
  ...legalLinks(),
];

export function Footer() {
  if (import.meta.env.SSR)
    return (
      <footer className="footer off-paper">
        <Parts />
      </footer>
    );
  return (
    <footer
      className="footer off-paper"
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: empty, and React leaves what the server sent
      dangerouslySetInnerHTML={{ __html: "" }}
    />
  );
}

function Parts() {
  const text = useTranslate();
  const brand = useBrand();
  const markets = useMarkets();
  const seller = useSeller();
  const { fullFooter, pageSidebar } = navigationAt(useLocation().pathname);
  if (brand === null || seller === null) return null;
  if (!fullFooter)
    return (
      <div className="footer-end">
        <Seller {...seller} />
        <nav className="footer-links" aria-label={text("site.more")}>
          <PageLinks of={pageSidebar ? linksOfStep() : links()} />
        </nav>
        {/* A step of an order has its own contact link, and must contain no other link that leads the buyer away. */}
        {!pageSidebar && <a href={brand.supportUrl}>{brand.supportEmail}</a>}
        <LanguageSwitch />
      </div>
    );
  return (
    <>
      <div className="footer-parts">
        <div>
          <p className="brand">
            <Wordmark name={brand.name} />
          </p>
          <p>{text("site.sells", { sells: seller.sells })}</p>
          <p lang="en">{brand.tagline}.</p>
          <p>
            <a href={brand.supportUrl}>{brand.supportEmail}</a>
          </p>
          <ul className="social" aria-label={text("site.follow")}>
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
              {text("site.callUs", {
                country: markets.find(({ code }) => code === country)?.inSentence ?? country,
              })}
            </p>
            <dl className="phones">
              {desks.map((desk) => (
                <div key={desk}>
                  <dt>{text(`site.${desk}`)}</dt>
                  <dd>
                    <a href={telephone(numbers[desk])}>{numbers[desk]}</a>
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <ul className="offices" aria-label={text("site.offices")}>
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
      <div className="footer-end">
        <nav className="footer-links" aria-label={text("site.more")}>
          <PageLinks of={links()} />
        </nav>
        <Choices />
      </div>
      <Seller {...seller} />
    </>
  );
}

function Seller({ name, gstin, address }: StoreHeadData["seller"]) {
  const text = useTranslate();
  return (
    <p className="seller">
      <span>
        <Rich text={text("site.soldBy", { name })} parts={{ name: (inner) => <strong>{inner}</strong> }} />
      </span>
      {gstin !== null && <span>{text("site.gstin", { gstin })}</span>}
      <span>{address}</span>
    </p>
  );
}

/** Choices of the country and the language, both remembered for the next visit. */
function Choices() {
  const text = useTranslate();
  const place = useLocation();
  const markets = useMarkets();
  const current = marketAt(place, markets) ?? markets.find(({ isChosen }) => isChosen);
  return (
    <>
      <nav className="footer-links" aria-label={text("site.pricesIn")}>
        <ul>
          {markets.map(({ code, market }) => (
            <li key={code}>
              <a href={inMarket(place, code)} aria-current={code === current?.code ? "true" : undefined}>
                {market}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <LanguageSwitch />
    </>
  );
}
