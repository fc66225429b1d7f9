/** A plan on sale: who it is for, what it has, what it starts at, and the one way on. */
import type { Card } from "./card.ts";

export function ServiceCard({ card }: { card: Card }) {
  return (
    <article className="card flex h-full flex-col gap-3">
      <header>
        <h3>{card.name}</h3>
        <p className="hint">{card.audience}</p>
      </header>
      <p>{card.description}</p>
      <ul className="list-disc ps-5">
        {card.features.map((feature) => (
          <li key={feature}>{feature}</li>
        ))}
      </ul>
      <p className="hint">
        <span className="visually-hidden">Apps: </span>
        {card.apps.join(" · ")}
      </p>
      <p className="mt-auto tabular-nums">
        Starting at{" "}
        {card.list !== null && (
          <s>
            <span className="visually-hidden">List price </span>
            {card.list}
          </s>
        )}{" "}
        <strong className="text-2xl">{card.from}</strong> / Monthly
      </p>
      {card.buy !== null && (
        <p>
          <a className="button" href={card.buy}>
            Buy Now<span className="visually-hidden">: {card.name}</span>
          </a>
        </p>
      )}
    </article>
  );
}
