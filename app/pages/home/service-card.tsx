/**
 * A plan on sale: its audience, its lowest price, the button to continue, and its features, which are folded on a phone.
 * Its name is English in every language.
 */

import { useTranslate } from "../../ui/text.tsx";
import { Tiles } from "../../ui/tiles.tsx";
import { appById } from "./apps.ts";
import type { Card } from "./card.ts";

export function ServiceCard({ card }: { card: Card }) {
  const text = useTranslate();
  return (
    <article className="card service">
      <header>
        <h3 lang="en">{card.name}</h3>
        <p className="hint">{card.audience}</p>
      </header>
      <p>{card.description}</p>
      <Tiles of={card.apps.map(appById)} label={text("catalogue.apps")} />
      <div className="offer">
        <div className="price">
          <p>
            <span className="hint">
              {text("catalogue.startingAt")}{" "}
              {card.list !== null && (
                <s>
                  <span className="visually-hidden">{text("catalogue.listPrice")}</span>
                  {card.list}
                </s>
              )}
            </span>{" "}
            <strong>{card.from}</strong>
            {text("catalogue.monthly")}
          </p>
          <p className="hint">{card.paid}</p>
        </div>
        {card.buy !== null && (
          <a className="button" href={card.buy}>
            {text("catalogue.buyNow")}
            <span className="visually-hidden" lang="en">
              : {card.name}
            </span>
          </a>
        )}
      </div>
      <details className="included">
        <summary>
          {text("catalogue.included")}
          <span className="visually-hidden" lang="en">
            : {card.name}
          </span>
        </summary>
        <ul className="features">
          {card.features.map((feature) => (
            <li key={feature}>{feature}</li>
          ))}
        </ul>
      </details>
    </article>
  );
}
