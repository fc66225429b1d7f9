/**
 * The offers, one at a time. CSS scroll-snap turns them by touch, by keyboard from link to link, and by the dots, which link
 * to the slides. enhance/carousel.ts adds the automatic turning, the pause button and the arrows.
 */
import type { Brand } from "#server/foundation/brand.ts";
import type { CarouselSlide } from "../../families/carousel-slide.ts";
import { Artwork } from "../../ui/artwork.tsx";
import { ContactUs } from "../../ui/contact-us.tsx";
import { Icon } from "../../ui/icons.tsx";
import { useTranslate } from "../../ui/text.tsx";

/** Placeholders that enhance/carousel.ts replaces with numbers: "{at} of {of}". */
export const positionPlaceholders = { at: "{at}", of: "{of}" };

export function Carousel({ offers, brand }: { offers: readonly CarouselSlide[]; brand: Brand }) {
  const text = useTranslate();
  const of = offers.length;
  return (
    <section
      className="carousel"
      aria-roledescription="carousel"
      aria-label={text("home.offers")}
      data-turns="round"
    >
      <div className="slides" id="offers" data-track>
        {offers.map((offer, index) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields; this is the carousel pattern's own role
          <div
            key={offer.title}
            id={`offer-${index + 1}`}
            className="slide"
            role="group"
            aria-roledescription="slide"
            aria-label={text("home.offerPlace", { at: index + 1, of })}
          >
            <Slide offer={offer} brand={brand} />
          </div>
        ))}
      </div>
      <div className="turning">
        <button
          type="button"
          className="icon scripted moving"
          aria-label={text("home.pauseOffers")}
          data-autoplay={text("home.playOffers")}
        >
          <Icon name="pause" />
          <Icon name="play" />
        </button>
        <ul className="dots">
          {offers.map(({ maker, title }, index) => (
            <li key={title}>
              <a href={`#offer-${index + 1}`} aria-current={index === 0 ? "true" : undefined} data-to={index}>
                <span className="visually-hidden">{text("home.showOffer", { at: index + 1, maker })}</span>
              </a>
            </li>
          ))}
        </ul>
        <Arrow by={-1} label={text("home.previousOffer")} controls="offers" />
        <Arrow by={1} label={text("home.nextOffer")} controls="offers" />
        <span
          className="visually-hidden"
          aria-live="off"
          data-place={text("home.offerPlace", positionPlaceholders)}
        />
      </div>
    </section>
  );
}

function Slide({ offer, brand }: { offer: CarouselSlide; brand: Brand }) {
  const text = useTranslate();
  const { maker, title, price, action, href, artwork } = offer;
  return (
    <>
      <div>
        <p className="maker">{maker}</p>
        <p className="offer-title">{title}</p>
        {price !== null && (
          <p className="price">
            <span className="hint">
              {price.before}{" "}
              {price.list !== null && (
                <s>
                  <span className="visually-hidden">{text("catalogue.listPrice")}</span>
                  {price.list}
                </s>
              )}
            </span>{" "}
            <strong>{price.amount}</strong> <span className="whole">{price.after}</span>
          </p>
        )}
        {href === null ? (
          <ContactUs brand={brand} text={action} className="way-on" />
        ) : (
          <a className="way-on" href={href}>
            {action}
          </a>
        )}
      </div>
      <Artwork of={artwork} />
    </>
  );
}

/** Turns the controlled carousel by one. Works only with scripts. */
export function Arrow({ by, label, controls }: { by: -1 | 1; label: string; controls: string }) {
  return (
    <button
      type="button"
      className="icon scripted"
      aria-label={label}
      aria-controls={controls}
      data-turn={by}
    >
      <Icon name={by === 1 ? "next" : "previous"} />
    </button>
  );
}
