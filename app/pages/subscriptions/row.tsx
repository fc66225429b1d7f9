/** The first and the last cell of a subscription's row. */

import { Breakable } from "../../ui/breakable.tsx";
import type { Possible, RowActions, RowView } from "./row-view.ts";

export function ServiceDetails(row: RowView & { withDomain?: boolean }) {
  const { name, plan, domain, renewed, vendorSays, terms, withDomain = false } = row;
  return (
    <>
      {name}
      <span className="hint">{plan}</span>
      {withDomain && (
        <span className="hint">
          <Breakable>{domain}</Breakable>
        </span>
      )}
      {vendorSays !== null && <span className="hint">{vendorSays}</span>}
      {terms !== null && (
        <span className="hint">
          <a href={terms.href}>{terms.words}</a>
        </span>
      )}
      {renewed !== null && <span className="hint good">{renewed}</span>}
    </>
  );
}

/** @param props.of the subscription's name, for screen readers that list links out of context */
export function Actions({ of, buyMore, renew, addOns }: RowActions & { of: string }) {
  return (
    <ul className="row-actions">
      <Action label="Buy more" of={of} possible={buyMore} />
      <Action label="Renew" of={of} possible={renew} />
      {addOns.map(({ name, href }) => (
        <li key={name}>
          <a href={href} aria-label={`Add ${name} to ${of}`}>
            Add {name}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** An unavailable action shows its reason instead of a dead link. */
function Action({ label, of, possible }: { label: string; of: string; possible: Possible }) {
  return (
    <li>
      {"href" in possible ? (
        <a href={possible.href} aria-label={`${label}: ${of}`}>
          {label}
        </a>
      ) : (
        <span className="hint">{possible.closed}</span>
      )}
    </li>
  );
}
