/** The cells of a subscription's row. */

import { Breakable } from "../../ui/breakable.tsx";
import { DateText } from "../../ui/date-text.tsx";
import { useTranslate } from "../../ui/text.tsx";
import { Tile } from "../../ui/tiles.tsx";
import type { ActionAvailability, RowActions, RowView } from "./row-view.ts";

export function ServiceDetails(row: RowView & { withDomain?: boolean }) {
  const { tile, name, plan, domain, renewed, window, said, vendorSays, terms, withDomain = false } = row;
  return (
    <div className="with-tile">
      <Tile icon={tile} />
      <div>
        {name}
        <span className="hint">{plan}</span>
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

/** The end, and how far it is. */
export function End({ end, left }: RowView) {
  return (
    <div className="stacked">
      <DateText {...end} />
      {left !== null && <span className={left.isDue ? "badge due" : "badge"}>{left.text}</span>}
    </div>
  );
}

/** The likely next act is the one filled button, if there is one. @param props.what read out with links that leave their row */
export function Actions(props: RowActions & { what: string }) {
  const { what, buyMore, renew, isToRenew, addOns, choose, cancel } = props;
  const text = useTranslate();
  const renewal = (
    <Action
      label={text("subscriptions.renew")}
      name={text("subscriptions.renewOf", { what })}
      possible={renew}
      look={isToRenew ? undefined : "quiet"}
    />
  );
  return (
    <ul className="row-actions">
      {isToRenew && renewal}
      <Action
        label={text("subscriptions.buyMore")}
        name={text("subscriptions.buyMoreOf", { what })}
        possible={buyMore}
        look="quiet"
      />
      {!isToRenew && renewal}
      {addOns.map(({ name, href }) => (
        <li key={name}>
          <a href={href} aria-label={text("subscriptions.addItemTo", { name, what })}>
            {text("subscriptions.addItem", { name })}
          </a>
        </li>
      ))}
      {choose !== null && (
        <li>
          <a href={choose} aria-label={text("renewals.chooseOf", { what })}>
            {text("renewals.choose")}
          </a>
        </li>
      )}
      {cancel !== null && (
        <li>
          <a href={cancel} aria-label={text("cancellation.linkOf", { what })}>
            {text("cancellation.link")}
          </a>
        </li>
      )}
    </ul>
  );
}

/** An unavailable action shows its reason instead of a dead link. */
function Action(props: {
  label: string;
  name: string;
  possible: ActionAvailability;
  look: "quiet" | undefined;
}) {
  const { label, name, possible, look } = props;
  return (
    <li>
      {"href" in possible ? (
        <a
          className={look === undefined ? "button" : `button ${look}`}
          href={possible.href}
          aria-label={name}
        >
          {label}
        </a>
      ) : (
        <span className="hint">{possible.closed}</span>
      )}
    </li>
  );
}
