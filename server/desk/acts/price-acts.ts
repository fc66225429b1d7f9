/** Acts on price lists: another day, in force, dropped, undone. */
import { z } from "zod";
import type { ListedPriceList } from "#db/price-lists.ts";
import {
  applyPriceList,
  discardPriceList,
  movePriceList,
  takeBackPriceList,
} from "#server/price-lists/decide.ts";
import { moneyRoles } from "../roles.ts";
import { act, nothing, type Performer } from "./act.ts";
import { priceListSubject } from "./subjects.ts";

const ofPrices = { subject: priceListSubject, roles: moneyRoles, needsStepUp: true } as const;

const decisionOf = ({ id }: ListedPriceList, { by, staffId, reason }: Performer) => ({
  id,
  by,
  staffId,
  reason,
  now: new Date(),
});

function unlessDraft({ state }: ListedPriceList): string | null {
  return state === "waiting" ? null : "This list has been decided on.";
}

const whole = "whole";
const without = "without";

export const applyPriceListAct = act({
  label: "Apply",
  explains:
    "Sets the prices of the list from its day on, in each country by its own clock. A list without a day begins at once. It can be taken back until the first of its prices begins.",
  ...ofPrices,
  asks: z.object({ lines: z.enum([whole, without], "Choose which lines are applied.").default(whole) }),
  fields: () => [
    {
      name: "lines",
      label: "Lines that cannot be applied",
      kind: "choice",
      options: [
        { value: whole, label: "There are none: apply all, or nothing" },
        { value: without, label: "Leave them out, and apply the others" },
      ],
    },
  ],
  hindrance: unlessDraft,
  async perform({ db, env }, list, { lines }, performer) {
    const count = await applyPriceList(
      { db, env },
      { ...decisionOf(list, performer), leaveOut: lines === without },
    );
    return { said: `${count === 1 ? "1 price is" : `${count} prices are`} set by price list ${list.id}.` };
  },
});

export const movePriceListAct = act({
  label: "Change the day",
  explains: "The list is compared anew with the prices that will be in force on the other day.",
  ...ofPrices,
  asks: z.object({ from: z.string().trim().max(10, "A day is written as 2026-12-01.").default("") }),
  fields: ({ fromDay }) => [
    {
      name: "from",
      label: "Begins on",
      hint: `Such as 2026-12-01; empty for the moment in which the list is applied. Now: ${fromDay ?? "that moment"}.`,
      kind: "text",
      isOptional: true,
    },
  ],
  hindrance: unlessDraft,
  async perform({ db }, list, { from }, performer) {
    const fromDay = from === "" ? null : from;
    await movePriceList({ db }, { ...decisionOf(list, performer), fromDay });
    return {
      said: fromDay === null ? "The list begins when it is applied." : `The list begins on ${fromDay}.`,
    };
  },
});

export const discardPriceListAct = act({
  label: "Discard",
  explains: "Drops a list that is not applied. It stays to be read.",
  ...ofPrices,
  asks: nothing,
  hindrance: unlessDraft,
  async perform({ db }, list, _value, performer) {
    await discardPriceList({ db }, decisionOf(list, performer));
    return { said: `Price list ${list.id} is discarded.` };
  },
});

export const takeBackPriceListAct = act({
  label: "Take back",
  explains: "Undoes a list before the first of its prices begins, as if it had never been applied.",
  ...ofPrices,
  asks: nothing,
  hindrance({ state, begins }) {
    if (state !== "applied") return "Only a list that is applied can be taken back.";
    return begins !== null && begins > new Date()
      ? null
      : "The prices of this list are in force already: import a list with the prices that are to follow them.";
  },
  async perform({ db }, list, _value, performer) {
    const count = await takeBackPriceList({ db }, decisionOf(list, performer));
    return {
      said: `Price list ${list.id} is taken back: ${count === 1 ? "1 price stays" : `${count} prices stay`} as before.`,
    };
  },
});
