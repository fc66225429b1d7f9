/** The total of what is typed, said while it is typed. Without scripts a button asks the server to say it. */
import { type ReactNode, useEffect, useRef, useState } from "react";
import { totalOf } from "#server/pricing/total.ts";
import { sayIn, useText } from "../../ui/text.tsx";
import type { TotalView } from "./total-view.ts";

export interface Typed {
  term: string;
  quantity: string;
}

/** @param children what asks for term and quantity, given the total's sentence and the total alone, both null without one */
export function LiveTotal({
  figures,
  typed,
  children,
}: {
  figures: TotalView;
  typed: Typed;
  children: (said: { sentence: string; total: string } | null) => ReactNode;
}) {
  const [{ term, quantity }, setTyped] = useState(typed);
  const place = useRef<HTMLDivElement>(null);
  const follow = () => {
    const form = place.current?.closest("form") ?? undefined;
    const answers = new FormData(form);
    setTyped({ term: String(answers.get("term")), quantity: String(answers.get("quantity")) });
  };
  // What was typed before the scripts came, or what the browser filled in again.
  useEffect(follow, []);
  return (
    // The shared script puts a number right as its field is left.
    // biome-ignore lint/a11y/noStaticElementInteractions: it follows what is typed in its fields, and is none itself
    <div className="live-total" ref={place} onInput={follow} onBlur={follow}>
      {children(say(figures, term, Number(quantity)))}
    </div>
  );
}

function say({ plans, most, ...format }: TotalView, term: string, quantity: number) {
  // A subscription that is changed keeps its term, which is not asked for.
  const plan = (term === "P1M" ? plans.P1M : plans.P1Y) ?? plans.P1M ?? plans.P1Y;
  if (plan === undefined || !(quantity >= 1 && quantity <= (most ?? 1e9)) || quantity % 1 > 0) return null;
  const { parts, total } = totalOf(quantity, plan);
  const write = (minor: number) => writeMoney(minor, format);
  return {
    sentence: sayIn(parts.length > 1 ? plan.atTwoPrices : plan.atOnePrice, {
      parts: parts.map(({ quantity, price }) => `${quantity} × ${write(price)}`).join(" + "),
      total: write(total),
    }),
    total: write(total),
  };
}

/** As the server's formatMoney. */
function writeMoney(minor: number, format: Pick<TotalView, "locale" | "currency" | "fractionDigits">) {
  return new Intl.NumberFormat(format.locale, {
    style: "currency",
    currency: format.currency,
    minimumFractionDigits: minor % 100 > 0 ? 2 : format.fractionDigits,
    maximumFractionDigits: 2,
  }).format(minor / 100);
}

/** The button of a browser without scripts. */
export function UpdateTotal() {
  const text = useText();
  return (
    <button type="submit" name="intent" value={updateTotal} className="quiet without-scripts">
      {text("details.updateTotal")}
    </button>
  );
}

/** The intent of that button: the page again, as it was filled in, with its total. */
export const updateTotal = "update-total";
