/** The rows in which plans are compared. A row that is empty for all plans of a family is left out. */
import type { PlanFacts } from "#db/catalogue/plan-facts.ts";
import type { Country } from "#db/tables/enums.ts";
import type { CatalogueItem } from "#server/catalogue/items.ts";
import { findLowestPrice, type PriceChoice, priceOf } from "#server/catalogue/prices.ts";
import { formatMoney } from "#server/catalogue/pricing/format.ts";
import { signupSeats } from "#server/catalogue/pricing/total.ts";
import { currencyOf } from "#server/foundation/countries/registry.ts";
import type { Translate } from "#server/foundation/languages/messages.ts";

/** A plan with the facts to compare. */
export type ComparedPlan = CatalogueItem & { readonly facts: PlanFacts };

export interface Row {
  readonly title: string;
  /** The features of each plan, one per line; empty where it has none. */
  readonly cells: readonly (readonly string[])[];
}

export interface RowGroup {
  readonly title: string;
  readonly rows: readonly Row[];
}

export function comparable(item: CatalogueItem): ComparedPlan[] {
  const { facts } = item;
  return facts === null || item.isAddon ? [] : [{ ...item, facts }];
}

export function rowsOf(plans: readonly ComparedPlan[], country: Country, text: Translate): RowGroup[] {
  const row = (title: string, cell: (plan: ComparedPlan) => readonly string[]): Row[] => {
    const cells = plans.map(cell);
    return cells.every((lines) => lines.length === 0) ? [] : [{ title, cells }];
  };
  const groups = [
    { title: text("compare.price"), rows: priceRows(row, country, text) },
    {
      title: text("compare.inside"),
      rows: [
        ...row(text("compare.desktopApps"), ({ facts }) =>
          facts.desktopApps === 0 ? [] : [text("compare.computers", { count: facts.desktopApps })],
        ),
        ...row(text("compare.webApps"), ({ facts }) => (facts.webApps ? [text("compare.included")] : [])),
        ...row(text("compare.mailbox"), ({ facts }) => mailboxOf(facts, text)),
        ...row(text("compare.storage"), ({ facts }) =>
          facts.storage === null ? [] : [sizeOf(facts.storage, text)],
        ),
        ...row(text("compare.meetings"), ({ facts }) => meetingsOf(facts, text)),
        ...row(text("compare.extras"), ({ facts }) => facts.extras.map((extra) => text(`compare.${extra}`))),
      ],
    },
    {
      title: text("compare.security"),
      rows: row(text("compare.security"), ({ facts }) => facts.security.map((one) => text(`compare.${one}`))),
    },
    {
      title: text("compare.limits"),
      rows: row(text("compare.seats"), ({ minSeats: least, maxSeats: most }) => [
        most === null ? text("compare.seatsFrom", { least }) : text("compare.seatsBetween", { least, most }),
      ]),
    },
  ];
  return groups.filter(({ rows }) => rows.length > 0);
}

type MakeRow = (title: string, cell: (plan: ComparedPlan) => readonly string[]) => Row[];

function priceRows(row: MakeRow, country: Country, text: Translate): Row[] {
  const currency = currencyOf(country);
  const exactly = (choice: Omit<PriceChoice, "currency">) => (plan: ComparedPlan) => {
    const price = priceOf(plan, { currency, ...choice });
    return price === null ? [] : [formatMoney(price.amount)];
  };
  return [
    ...row(text("compare.aMonth"), (plan) => {
      const lowest = findLowestPrice(plan, currency);
      return lowest === null ? [] : [formatMoney(lowest.perMonth)];
    }),
    ...row(
      text("compare.firstPeople", { people: signupSeats }),
      exactly({ kind: "signup", term: "P1Y", billingCycle: "annual" }),
    ),
    ...row(text("compare.aYear"), exactly({ kind: "regular", term: "P1Y", billingCycle: "annual" })),
    ...row(text("compare.eachMonth"), exactly({ kind: "regular", term: "P1M", billingCycle: "monthly" })),
  ];
}

function mailboxOf({ mailbox }: PlanFacts, text: Translate): string[] {
  if (mailbox === null) return [];
  return [mailbox === "in-storage" ? text("compare.inStorage") : sizeOf(mailbox, text)];
}

const terabyte = 1_000;

function sizeOf(gigabytes: number, text: Translate): string {
  return gigabytes < terabyte
    ? text("compare.gigabytes", { amount: gigabytes })
    : text("compare.terabytes", { amount: gigabytes / terabyte });
}

const meetingWords = {
  none: "compare.people",
  recordings: "compare.peopleRecordings",
  webinars: "compare.peopleWebinars",
} as const;

function meetingsOf({ meetings }: PlanFacts, text: Translate): string[] {
  if (meetings === null) return [];
  const { people, also } = meetings;
  return [people === null ? text("compare.included") : text(meetingWords[also ?? "none"], { people })];
}
