/** Actions on price lists: reschedule, apply, discard, withdraw. */
import { z } from "zod";
import type { ListedPriceList } from "#db/catalogue/price-lists.ts";
import {
  applyPriceList,
  discardPriceList,
  reschedulePriceList,
  withdrawPriceList,
} from "#server/desk/price-lists/decide.ts";
import { moneyRoles } from "../roles.ts";
import { defineAction, nothing, type StaffActor } from "./action.ts";
import { priceListSubject } from "./subjects.ts";

const ofPrices = { subject: priceListSubject, roles: moneyRoles, needsStepUp: true } as const;

const decisionOf = ({ id }: ListedPriceList, { by, staffId, reason }: StaffActor) => ({
  id,
  by,
  staffId,
  reason,
  now: new Date(),
});

function unlessDraft({ state }: ListedPriceList): string | null {
  return state === "waiting" ? null : "This list has already been applied or discarded.";
}

const whole = "whole";
const without = "without";

export const applyPriceListAction = defineAction({
  label: "Apply",
  explains:
    "Sets these prices from the start date, in each country's time zone. A list without a date starts immediately. You can revert it until its first price starts.",
  ...ofPrices,
  asks: z.object({ lines: z.enum([whole, without], "Choose which lines to apply.").default(whole) }),
  fields: () => [
    {
      name: "lines",
      label: "Lines that cannot be applied",
      kind: "choice",
      options: [
        { value: whole, label: "There are none: apply all, or nothing" },
        { value: without, label: "Skip them and apply the rest" },
      ],
    },
  ],
  whyNot: unlessDraft,
  async perform({ db, env }, list, { lines }, actor) {
    const count = await applyPriceList(
      { db, env },
      { ...decisionOf(list, actor), leaveOut: lines === without },
    );
    return { said: `${count === 1 ? "1 price is" : `${count} prices are`} set by price list ${list.id}.` };
  },
});

export const reschedulePriceListAction = defineAction({
  label: "Change start date",
  explains: "We compare the list again with the prices in force on the new date.",
  ...ofPrices,
  asks: z.object({ from: z.string().trim().max(10, "Enter a date such as 2026-12-01.").default("") }),
  fields: ({ fromDay }) => [
    {
      name: "from",
      label: "Start date",
      hint: `Such as 2026-12-01; empty for the moment in which the list is applied. Now: ${fromDay ?? "that moment"}.`,
      kind: "text",
      isOptional: true,
    },
  ],
  whyNot: unlessDraft,
  async perform({ db }, list, { from }, actor) {
    const fromDay = from === "" ? null : from;
    await reschedulePriceList({ db }, { ...decisionOf(list, actor), fromDay });
    return {
      said: fromDay === null ? "The list starts when it's applied." : `The list starts on ${fromDay}.`,
    };
  },
});

export const discardPriceListAction = defineAction({
  label: "Discard",
  explains: "Discards a list that isn't applied. You can still view it.",
  ...ofPrices,
  asks: nothing,
  whyNot: unlessDraft,
  async perform({ db }, list, _value, actor) {
    await discardPriceList({ db }, decisionOf(list, actor));
    return { said: `Price list ${list.id} is discarded.` };
  },
});

export const withdrawPriceListAction = defineAction({
  label: "Revert",
  explains: "Undoes a list before its first price starts.",
  ...ofPrices,
  asks: nothing,
  whyNot({ state, begins }) {
    if (state !== "applied") return "Only an applied list can be reverted.";
    return begins !== null && begins > new Date()
      ? null
      : "These prices are already in force. Import a new list to change them.";
  },
  async perform({ db }, list, _value, actor) {
    const count = await withdrawPriceList({ db }, decisionOf(list, actor));
    return {
      said: `Price list ${list.id} reverted: ${count === 1 ? "1 price stays" : `${count} prices stay`} as before.`,
    };
  },
});
