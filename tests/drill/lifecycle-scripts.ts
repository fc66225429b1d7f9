/** Scripts of subscriptions over a year: who renews, who lets it end, who adds seats, and manual changes at the vendor. */

export const families = ["microsoft", "google", "brio"] as const;
type DrilledFamily = (typeof families)[number];

/** A plan with its country and term. */
export interface Plan {
  family: DrilledFamily;
  item: string;
  country: "IN" | "US";
  term: "P1M" | "P1Y";
}

export type Deed =
  /** Buys more licences. */
  | "grow"
  /** Removes one licence in the vendor's own console. */
  | "reduce"
  | "suspend"
  | "resume";

export interface Story {
  name: string;
  /** Whether the buyer pays for the next term during the one with this number, counted from 0. */
  renews(term: number): boolean;
  /** Action a day after the first term begins. */
  first?: Deed;
  /** Action in the middle of the first term. */
  middle?: Deed;
  /** Action after the buyers have renewed the first term, before its end. */
  late?: Deed;
  /** Whether it is bought again a day after its first end. */
  returns?: boolean;
  /** Left out for every plan; otherwise false where a vendor has no such console, or the term is too long for a difference. */
  isFor?(plan: Plan): boolean;
}

const always = () => true;
const never = () => false;
const hasVendor = ({ family }: Plan) => family !== "brio";
// A commitment at Google can never be reduced.
const mayShrink = ({ family }: Plan) => family === "microsoft";

export const stories = {
  ends: { name: "ends", renews: never },
  renewed: { name: "renewed", renews: always },
  grown: { name: "grown", renews: always, first: "grow" },
  "grown and ended": { name: "grown and ended", renews: never, first: "grow" },
  reduced: { name: "reduced", renews: always, first: "reduce", isFor: mayShrink },
  suspended: { name: "suspended", renews: never, first: "suspend", isFor: hasVendor },
  resumed: { name: "resumed", renews: always, first: "suspend", middle: "resume", isFor: hasVendor },
  stops: { name: "stops", renews: (term) => term < 3, isFor: ({ term }) => term === "P1M" },
  returned: { name: "returned", renews: (term) => term > 0, returns: true },
  "grown when renewed": { name: "grown when renewed", renews: always, late: "grow" },
} satisfies Record<string, Story>;

const microsoft = { family: "microsoft", item: "microsoft-365-business-basic" } as const;
const google = { family: "google", item: "google-workspace-business-starter" } as const;
const brio = { family: "brio", item: "brio-desk" } as const;

const plans: readonly Plan[] = [
  { ...microsoft, country: "IN", term: "P1M" },
  { ...microsoft, country: "US", term: "P1Y" },
  { ...google, country: "IN", term: "P1Y" },
  { ...brio, country: "US", term: "P1M" },
  { ...microsoft, country: "IN", term: "P1Y" },
  { ...microsoft, country: "US", term: "P1M" },
  { ...google, country: "US", term: "P1Y" },
  { ...brio, country: "IN", term: "P1Y" },
];

export interface Part {
  plan: Plan;
  story: Story;
}

/** Every story with every applicable plan, in two countries. */
export const allParts: readonly Part[] = Object.values<Story>(stories).flatMap((story) =>
  plans.filter((plan) => story.isFor?.(plan) ?? true).map((plan) => ({ plan, story })),
);

const part = (name: keyof typeof stories, family: DrilledFamily, country: string, term: string): Part => {
  const plan = plans.find((each) => each.family === family && each.country === country && each.term === term);
  if (plan === undefined) throw new Error(`No such plan: ${family} ${country} ${term}`);
  return { plan, story: stories[name] };
};

/** Every story once, covering every family and term. */
export const fewParts: readonly Part[] = [
  part("ends", "google", "IN", "P1Y"),
  part("renewed", "google", "US", "P1Y"),
  part("ends", "microsoft", "US", "P1M"),
  part("renewed", "brio", "IN", "P1Y"),
  part("grown", "microsoft", "IN", "P1Y"),
  part("grown and ended", "brio", "US", "P1M"),
  part("reduced", "microsoft", "US", "P1M"),
  part("suspended", "microsoft", "IN", "P1M"),
  part("resumed", "microsoft", "US", "P1M"),
  part("stops", "microsoft", "IN", "P1M"),
  part("returned", "microsoft", "IN", "P1M"),
  part("grown when renewed", "microsoft", "US", "P1Y"),
];
