/** The lists of money by their address under /desk/money, in the order of the overview page. */
import { billLinesList, billsList } from "./bills.ts";
import { certificatesList } from "./certificates.ts";
import { differencesList } from "./differences.ts";
import { eventsList } from "./events.ts";
import type { DeskList } from "./list.ts";
import { payoutLinesList, payoutsList } from "./payouts.ts";
import { refundsList } from "./refunds.ts";

export const moneyLists = {
  differences: differencesList,
  refunds: refundsList,
  payouts: payoutsList,
  "payout-lines": payoutLinesList,
  bills: billsList,
  "bill-lines": billLinesList,
  certificates: certificatesList,
  events: eventsList,
} as const satisfies Record<string, DeskList>;

export type MoneyListId = keyof typeof moneyLists;
export const moneyListIds = Object.keys(moneyLists).filter((id): id is MoneyListId => id in moneyLists);

export function isMoneyListId(text: string): text is MoneyListId {
  return moneyListIds.some((id) => id === text);
}
