/** The total of the current input, updated while it is typed. Without scripts a button requests it from the server. */
import { type ReactNode, useEffect, useRef, useState } from "react";
import { totalOf } from "#server/catalogue/pricing/total.ts";
import { plainDigits } from "#server/foundation/digits.ts";
import { domainChecked } from "../../enhance/domain-check.ts";
import { interpolate, useTranslate } from "../../ui/text.tsx";
import type { TotalView } from "./total-view.ts";

export interface TypedSelection {
  term: string;
  quantity: string;
  /** Id of one of the company's addresses; empty where the form does not ask. */
  address: string;
}

interface Said {
  sentence: string;
  total: string;
  /** The total shown before the domain turned out to be known; null where it is not. */
  before: string | null;
}

/** @param children renders term and quantity; receives the total, null without one, and whether the domain is already registered */
export function LiveTotal({
  figures,
  typed,
  children,
}: {
  figures: TotalView;
  typed: TypedSelection;
  children: (said: Said | null, isKnownDomain: boolean) => ReactNode;
}) {
  const [{ term, quantity, address }, setTyped] = useState(typed);
  const [isKnownDomain, setKnownDomain] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const follow = () => {
    const form = place.current?.closest("form") ?? undefined;
    const answers = new FormData(form);
    const text = (name: string) => String(answers.get(name) ?? "");
    setTyped({ term: text("term"), quantity: text("quantity"), address: text("address") });
  };
  // Input that was typed before the scripts loaded, or restored by the browser.
  useEffect(follow, []);
  useEffect(() => {
    const form = place.current?.closest("form");
    const hear = (event: Event) => setKnownDomain(event instanceof CustomEvent && event.detail === true);
    form?.addEventListener(domainChecked, hear);
    return () => form?.removeEventListener(domainChecked, hear);
  }, []);
  return (
    // The shared script corrects a number when its field loses the focus.
    // biome-ignore lint/a11y/noStaticElementInteractions: it follows what is typed in its fields, and is none itself
    <div className="live-total" ref={place} onInput={follow} onBlur={follow}>
      {children(say(figures, { term, address, isKnownDomain }, Number(plainDigits(quantity))), isKnownDomain)}
    </div>
  );
}

function say(
  figures: TotalView,
  typed: Pick<TypedSelection, "term" | "address"> & { isKnownDomain: boolean },
  quantity: number,
): Said | null {
  const { plans: usual, plansAt, knownDomain, most, ...format } = figures;
  const { term, address } = typed;
  const isKnown = typed.isKnownDomain && knownDomain !== null;
  const plans = isKnown ? knownDomain : (plansAt[address] ?? usual);
  // A subscription that is changed keeps its term, which the form does not ask for.
  const plan = (term === "P1M" ? plans.P1M : plans.P1Y) ?? plans.P1M ?? plans.P1Y;
  if (plan === undefined || !(quantity >= 1 && quantity <= (most ?? 1e9)) || quantity % 1 > 0) return null;
  const { parts, total } = totalOf(quantity, plan);
  const write = (minor: number) => writeMoney(minor, format);
  return {
    sentence: interpolate(parts.length > 1 ? plan.atTwoPrices : plan.atOnePrice, {
      parts: parts.map(({ quantity, price }) => `${quantity} × ${write(price)}`).join(" + "),
      total: write(total),
    }),
    total: write(total),
    before: isKnown ? (say(figures, { ...typed, isKnownDomain: false }, quantity)?.total ?? null) : null,
  };
}

/** Formatters by locale, currency and digits, because creating one is slow. */
const formats = new Map<string, Intl.NumberFormat>();

/** Formats an amount like the server's formatMoney. */
function writeMoney(
  minor: number,
  { locale, currency, fractionDigits }: Pick<TotalView, "locale" | "currency" | "fractionDigits">,
) {
  const minimumFractionDigits = minor % 100 > 0 ? 2 : fractionDigits;
  const name = locale + currency + minimumFractionDigits;
  const format =
    formats.get(name) ??
    new Intl.NumberFormat(locale, {
      style: "currency",
      currency,
      minimumFractionDigits,
      maximumFractionDigits: 2,
    });
  formats.set(name, format);
  return format.format(minor / 100);
}

/** Update button for browsers without scripts. */
export function UpdateTotal() {
  const text = useTranslate();
  return (
    <button type="submit" name="intent" value={updateTotalIntent} className="quiet without-scripts">
      {text("details.updateTotal")}
    </button>
  );
}

/** Intent of that button: shows the page again with its input and the total. */
export const updateTotalIntent = "update-total";
