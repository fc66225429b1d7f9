/**
 * A row of cards that turns by scrolling: one card at a time up to 560 px, two up to 825 px, then three (SPEC section 2).
 * The browser's own scroll-snap does it, so it works without scripts, by touch and by keyboard.
 */
import type { Card } from "./card.ts";
import { ServiceCard } from "./service-card.tsx";

// "relative" keeps what is visually hidden inside a card from widening the page beyond the row.
const row = [
  "relative grid grid-flow-col gap-4 overflow-x-auto snap-x snap-mandatory list-none p-0 pb-3",
  "auto-cols-[100%] min-[561px]:auto-cols-[calc((100%-1rem)/2)] min-[826px]:auto-cols-[calc((100%-2rem)/3)]",
].join(" ");

/** Renders nothing when there is nothing to show. */
export function Section(props: { id: string; title: string; cards: readonly Card[] }) {
  const { id, title, cards } = props;
  if (cards.length === 0) return null;
  return (
    <section aria-labelledby={id} className="my-8">
      <h2 id={id}>{title}</h2>
      {/* Without a link inside, only the row itself can be scrolled by keyboard. */}
      <ul className={row} tabIndex={cards.some(({ buy }) => buy !== null) ? undefined : 0}>
        {cards.map((card) => (
          <li key={card.id} className="snap-start">
            <ServiceCard card={card} />
          </li>
        ))}
      </ul>
    </section>
  );
}
