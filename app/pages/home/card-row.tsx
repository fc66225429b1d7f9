/**
 * A row of cards that turns page by page: one card up to 560 px, two up to 825 px, then three. CSS scroll-snap does it, so it
 * works without scripts, by touch and by keyboard. enhance/carousel.ts adds the position and the arrows.
 */
import { useTranslate } from "../../ui/text.tsx";
import type { Card } from "./card.ts";
import { Arrow, positionPlaceholders } from "./carousel.tsx";
import { ServiceCard } from "./service-card.tsx";

/** Renders nothing when there is nothing to show. */
export function CardRow(props: { id: string; title: string; cards: readonly Card[] }) {
  const text = useTranslate();
  const { id, title, cards } = props;
  if (cards.length === 0) return null;
  const row = `${id}-row`;
  return (
    <section aria-labelledby={id} data-turns>
      <div className="section-head">
        <h2 id={id}>{title}</h2>
        {cards.length > 1 && (
          <div className="turning" data-pager>
            <span
              className="scripted"
              aria-live="polite"
              data-place={text("catalogue.place", positionPlaceholders)}
            />
            <Arrow by={-1} label={text("catalogue.previousOf", { title })} controls={row} />
            <Arrow by={1} label={text("catalogue.nextOf", { title })} controls={row} />
          </div>
        )}
      </div>
      {/* Without a link inside, only a focusable row can be scrolled by keyboard. */}
      <ul
        id={row}
        className="services plan-row"
        data-track
        tabIndex={cards.some(({ buy }) => buy !== null) ? undefined : 0}
      >
        {cards.map((card) => (
          <li key={card.id}>
            <ServiceCard card={card} />
          </li>
        ))}
      </ul>
    </section>
  );
}
