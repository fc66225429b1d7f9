/** The cells of a subscription's row. */

import { Breakable } from "../../ui/breakable.tsx";
import { DateText } from "../../ui/date-text.tsx";
import { RowMenu } from "../../ui/list.tsx";
import { Money } from "../../ui/money.tsx";
import { Rich, useTranslate } from "../../ui/text.tsx";
import { Tile } from "../../ui/tiles.tsx";
import type { ActionAvailability, RowActions, RowView } from "./row-view.ts";

export function ServiceDetails(row: RowView & { withDomain?: boolean }) {
  const {
    tile,
    name,
    plan,
    price,
    domain,
    renewed,
    window,
    said,
    vendorSays,
    terms,
    withDomain = false,
  } = row;
  return (
    <div className="with-tile">
      <Tile icon={tile} />
      <div>
        {name}
        <span className="hint price-line">
          {plan}
          {price !== null && (
            <>
              {" · "}
              <Rich text={price} parts={{ amount: (inner) => <Money>{inner}</Money> }} />
            </>
          )}
        </span>
        {withDomain && (
          <span className="hint">
            <Breakable>{domain}</Breakable>
          </span>
        )}
        {vendorSays.map((sentence) => (
          <span key={sentence} className="hint">
            {sentence}
          </span>
        ))}
        {terms !== null && (
          <span className="hint">
            <a href={terms.href}>{terms.words}</a>
          </span>
        )}
        {renewed !== null && <span className="hint good">{renewed}</span>}
        {window !== null && (
          <span className="hint">
            <a href={window.href}>{window.words}</a>
          </span>
        )}
        {said !== null && <span className="hint">{said}</span>}
      </div>
    </div>
  );
}

/** The end date, and the time until it. */
export function End({ end, left }: RowView) {
  return (
    <div className="stacked">
      <DateText {...end} />
      {left !== null && <span className={left.isDue ? "badge due" : "badge"}>{left.text}</span>}
    </div>
  );
}

/**
 * The likely next action is a button, filled when the end is near; all others are behind "⋯", where an impossible one shows its
 * reason.
 * @param props.what announced with links that leave their row
 */
export function Actions({
  what,
  buyMore,
  renew,
  isToRenew,
  addOns,
  choose,
  cancel,
}: RowActions & { what: string }) {
  const text = useTranslate();
  const first = isToRenew || !("href" in buyMore) ? renew : buyMore;
  const acts = [
    {
      label: text("subscriptions.buyMore"),
      name: text("subscriptions.buyMoreOf", { what }),
      possible: buyMore,
    },
    { label: text("subscriptions.renew"), name: text("subscriptions.renewOf", { what }), possible: renew },
    ...addOns.map(({ name, href }) => ({
      label: text("subscriptions.addItem", { name }),
      name: text("subscriptions.addItemTo", { name, what }),
      possible: { href },
    })),
    ...linkTo(choose, text("renewals.choose"), text("renewals.chooseOf", { what })),
    ...linkTo(cancel, text("cancellation.link"), text("cancellation.linkOf", { what })),
  ];
  const button = acts.find(({ possible }) => possible === first);
  return (
    <div className="row-actions">
      {button !== undefined && "href" in button.possible && (
        <a
          className={isToRenew ? "button" : "button quiet"}
          href={button.possible.href}
          aria-label={button.name}
        >
          {button.label}
        </a>
      )}
      <RowMenu what={what}>
        {acts
          .filter(({ possible }) => possible !== first || !("href" in possible))
          .map((act) => (
            <Act key={act.label} {...act} />
          ))}
      </RowMenu>
    </div>
  );
}

const linkTo = (href: string | null, label: string, name: string) =>
  href === null ? [] : [{ label, name, possible: { href } }];

function Act({ label, name, possible }: { label: string; name: string; possible: ActionAvailability }) {
  return (
    <li>
      {"href" in possible ? (
        <a href={possible.href} aria-label={name}>
          {label}
        </a>
      ) : (
        <>
          <strong>{label}</strong>
          <span className="hint">{possible.closed}</span>
        </>
      )}
    </li>
  );
}

/** Reasons why actions of a subscription are not possible, without duplicates. */
export function closedOf({ buyMore, renew }: Pick<RowActions, "buyMore" | "renew">): string[] {
  return [...new Set([buyMore, renew].flatMap((act) => ("closed" in act ? [act.closed] : [])))];
}

/**
 * Actions of an ended subscription (docs/specification.md, section 2.7): buy more is disabled, with its reason as the
 * description.
 */
export function EndedActions({
  id,
  what,
  buyMore,
  renew,
  choose,
}: RowActions & { id: string; what: string }) {
  const text = useTranslate();
  return (
    <div className="row-actions">
      <button type="button" className="quiet" disabled aria-describedby={`why-${id}`}>
        {text("subscriptions.buyMore")}
        <span className="visually-hidden">: {what}</span>
      </button>
      {"href" in renew && (
        <a className="button" href={renew.href} aria-label={text("subscriptions.renewOf", { what })}>
          {text("subscriptions.renew")}
        </a>
      )}
      {choose !== null && (
        <a href={choose} aria-label={text("renewals.chooseOf", { what })}>
          {text("renewals.choose")}
        </a>
      )}
      <span className="visually-hidden" id={`why-${id}`}>
        {closedOf({ buyMore, renew }).join(" ")}
      </span>
    </div>
  );
}
