/** A plan on sale: its audience, its features, its lowest price, and the button to continue. */
import { Icon } from "../../ui/icons.tsx";
import { appNamed } from "./apps.ts";
import type { Card } from "./card.ts";

const shownFeatures = 3;

export function ServiceCard({ card }: { card: Card }) {
  const more = card.features.slice(shownFeatures);
  return (
    <article className="card service">
      <header>
        <h3>{card.name}</h3>
        <p className="hint">{card.audience}</p>
      </header>
      <p>{card.description}</p>
      <div className="price">
        <p>
          <span className="hint">
            Starting at{" "}
            {card.list !== null && (
              <s>
                <span className="visually-hidden">List price </span>
                {card.list}
              </s>
            )}
          </span>{" "}
          <strong>{card.from}</strong> / Monthly
        </p>
        <p className="hint">{card.paid}</p>
      </div>
      <div>
        <Features of={card.features.slice(0, shownFeatures)} />
        {more.length > 0 && (
          <details>
            <summary>
              {more.length} more<span className="visually-hidden"> of {card.name}</span>
            </summary>
            <Features of={more} />
          </details>
        )}
      </div>
      <ul className="apps" aria-label="Apps">
        {card.apps.map(appNamed).map(({ name, icon }) => (
          <li key={name}>
            <Icon name={icon} size={18} />
            {name}
          </li>
        ))}
      </ul>
      {card.buy !== null && (
        <a className="button" href={card.buy}>
          Buy Now<span className="visually-hidden">: {card.name}</span>
        </a>
      )}
    </article>
  );
}

function Features({ of }: { of: readonly string[] }) {
  return (
    <ul className="features">
      {of.map((feature) => (
        <li key={feature}>{feature}</li>
      ))}
    </ul>
  );
}
