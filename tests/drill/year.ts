/** Subscriptions that are bought, and a year that passes over them on a moved clock (docs/decisions/testing.md#clock). */
import type { OrderId } from "#db/ids.ts";
import { parseId } from "#db/ids.ts";
import type { CronJobName } from "#server/foundation/outbox/jobs.ts";
import { endOfTerm } from "#server/orders/subscriptions/term.ts";
import { requireSuccess } from "#tests/support/api-client.ts";
import { beginChange, type Change, outcomeOfChange, payChange } from "#tests/support/changes.ts";
import { signedIn } from "#tests/support/orders.ts";
import { freshPrefix } from "#tests/support/paid-order.ts";
import {
  type Begun,
  payByApi,
  signedUp,
  startOrderByApi,
  waitUntilFulfilledByApi,
} from "#tests/support/purchase-by-api.ts";
import type { TimeTravelWorld } from "#tests/support/time-travel-world.ts";
import type { Deed, Part, Plan } from "./lifecycle-scripts.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const seats = 4;
const addedSeats = 2;

/** The last day of a month, so that its terms end on days with other numbers. */
export const start = new Date("2027-01-31T09:00:00Z");

/** A subscription of the drill, as the test tracks it. */
export interface Subject extends Part {
  name: string;
  email: string;
  /** The order that created it. */
  orderId: OrderId;
  /** Number of terms before the current one. */
  term: number;
  /** Its ids at the vendor; more than one if it was bought again. */
  externalIds: string[];
  state: "running" | "suspended" | "over";
  /** Set when its terms no longer begin with those of the others, so that it is renewed before its reminder. */
  isLate: boolean;
  /** Expected number of mails to its owner so far. */
  reminders: number;
  endings: number;
}

export async function buy(world: TimeTravelWorld, { plan, story }: Part): Promise<Subject> {
  const { stack, controls, provider } = world;
  const { family, item, country, term } = plan;
  const domain = `${freshPrefix()}.com`;
  const order = await startOrderByApi(
    stack.url,
    {
      sku_id: item,
      item_family: family,
      console: country === "IN" ? "IP" : "UP",
      count: seats,
      subscriptionLength: term,
      ...(family === "google" && { domain, customer_type: "new_signup" }),
    },
    country,
  );
  await payByApi(controls, order);
  await signUp(order, plan, domain);
  await waitUntilFulfilledByApi(order);
  if (family === "google") await provider.acceptTerms(domain);
  const orderId = parseId<OrderId>(order.id);
  if (orderId === null) throw new Error(`Not an order's id: ${order.id}`);
  const name = `${family} ${country} ${term}, ${story.name}`;
  const begun = { term: 0, state: "running", isLate: false, reminders: 0, endings: 0 } as const;
  const subject: Subject = { plan, story, name, email: order.email, orderId, externalIds: [], ...begun };
  return note(world, subject);
}

async function signUp(order: Begun, { family }: Plan, domain: string): Promise<void> {
  const order_id = order.id;
  if (family === "brio") return;
  const reply = await (family === "google"
    ? order.client.post("/google/signup", { order_id, username: "admin", password: "Good$Pass1" })
    : order.client.post("/mssignup", {
        order_id,
        username: "owner",
        tenantname: domain.replace(".com", ""),
        quantity: seats,
        current_user: order.email,
      }));
  requireSuccess(signedUp, reply);
}

/** The store's row of a subject, found by the order that created it. */
export function rowOf({ context }: TimeTravelWorld, { orderId }: Subject) {
  return context.db
    .selectFrom("subscriptions")
    .selectAll()
    .where("order_id", "=", orderId)
    .executeTakeFirstOrThrow();
}

async function note(world: TimeTravelWorld, subject: Subject): Promise<Subject> {
  subject.externalIds.push((await rowOf(world, subject)).external_id);
  return subject;
}

/** Buys licences or the next term through the pages. */
async function change(
  world: TimeTravelWorld,
  subject: Subject,
  what: Change,
  quantity: number,
): Promise<void> {
  const { context, stack, clock } = world;
  const row = await rowOf(world, subject);
  const order = await context.db
    .selectFrom("orders")
    .select("user_id")
    .where("id", "=", subject.orderId)
    .executeTakeFirstOrThrow();
  if (order.user_id === null) throw new Error(`${subject.name} was bought by nobody`);
  const owner = { userId: order.user_id, email: subject.email };
  const browser = await signedIn(context, stack.url, owner, clock.now());
  const begun = await beginChange(browser, what, row.id, quantity).catch((error: unknown) => {
    throw new Error(`${subject.name}: ${what}, its end being ${row.end_date.toISOString()}`, {
      cause: error,
    });
  });
  await payChange(browser, stack.sandboxUrl, begun);
  const outcome = await outcomeOfChange(context, begun);
  if (outcome !== "done") throw new Error(`${subject.name}: the order to ${what} came to ${outcome}`);
}

async function renew(world: TimeTravelWorld, subject: Subject): Promise<void> {
  const { quantity } = await rowOf(world, subject);
  await change(world, subject, "renew", quantity);
}

async function act(world: TimeTravelWorld, subject: Subject, deed: Deed | undefined): Promise<void> {
  if (deed === undefined) return;
  if (deed === "grow") return change(world, subject, "more", addedSeats);
  const { external_id: id, quantity } = await rowOf(world, subject);
  const changes = {
    reduce: { quantity: quantity - 1 },
    suspend: { state: "suspended" },
    resume: { state: "active" },
  } as const;
  await world.controls.console({ id, ...changes[deed] });
  if (deed !== "reduce") subject.state = deed === "suspend" ? "suspended" : "running";
}

/** Cron jobs for every day; the nightly check of all accounts is slow because of Google's delays. */
const daily = [
  "turn-terms",
  "remind-of-renewals",
  "remind-of-terms",
  "send-reminders",
  "sweep-payments",
  "refresh-partner-consents",
  "clean-up",
] as const satisfies CronJobName[];
const nightly = [...daily, "sync-subscriptions"] as const;

interface Moment {
  at: number;
  jobs: readonly CronJobName[];
  act(): Promise<void>;
}

/** Passes the year and some more days, on which everybody with something to do acts. */
export async function liveThroughYear(world: TimeTravelWorld, subjects: readonly Subject[]): Promise<void> {
  const yearEnd = endOfTerm(start, "P1Y", "IN");
  const nothing = async () => undefined;
  const first = start.getTime();
  const agenda: Moment[] = [
    { at: first + 2 * hourMs, jobs: daily, act: nothing },
    {
      at: first + dayMs + 2 * hourMs,
      jobs: nightly,
      act: () => each(subjects, (subject) => act(world, subject, subject.story.first)),
    },
    {
      at: first + 14 * dayMs,
      jobs: nightly,
      act: () => each(subjects, (subject) => act(world, subject, subject.story.middle)),
    },
    ...monthEnds().flatMap((end, month) =>
      aroundEnd(world, end, ofTerm(subjects, "P1M"), month % 3 === 0 ? nightly : daily),
    ),
    ...[59, 29, 13].map((days) => ({
      at: yearEnd.getTime() - days * dayMs,
      jobs: daily,
      act: async () => remind(ofTerm(subjects, "P1Y")),
    })),
    ...aroundEnd(world, yearEnd, ofTerm(subjects, "P1Y"), nightly),
    { at: yearEnd.getTime() + 3 * dayMs, jobs: nightly, act: nothing },
  ];
  for (const { at, jobs, act } of agenda.sort((one, other) => one.at - other.at)) {
    await world.passTo(new Date(at), jobs);
    await act();
    await world.settled();
  }
}

/** Events around the end of a term of these subscriptions, which began together. */
function aroundEnd(
  world: TimeTravelWorld,
  end: Date,
  subjects: readonly Subject[],
  jobs: readonly CronJobName[],
): Moment[] {
  const running = () => subjects.filter(({ state }) => state === "running");
  const renews = ({ story, term }: Subject) => story.renews(term);
  return [
    {
      at: end.getTime() - 6 * dayMs,
      jobs: daily,
      async act() {
        remind(running());
        await each(running().filter(renews), async (subject) => {
          await renew(world, subject);
          if (subject.term === 0) await act(world, subject, subject.story.late);
        });
      },
    },
    {
      at: end.getTime() - 12 * hourMs,
      jobs,
      act: async () => remind(running().filter((subject) => !renews(subject))),
    },
    {
      at: end.getTime() + dayMs,
      jobs,
      act: () =>
        each(subjects, async (subject) => {
          if (subject.state !== "over" && !renews(subject)) {
            subject.state = "over";
            subject.endings += 1;
          }
          subject.term += 1;
          if (subject.story.returns !== true || subject.term !== 1) return;
          await renew(world, subject);
          await note(world, subject);
          subject.state = "running";
          subject.isLate = true;
        }),
    },
  ];
}

const ofTerm = (subjects: readonly Subject[], term: Plan["term"]) =>
  subjects.filter(({ plan }) => plan.term === term);

async function each(subjects: readonly Subject[], deed: (subject: Subject) => Promise<void>): Promise<void> {
  for (const subject of subjects) await deed(subject);
}

function remind(subjects: readonly Subject[]): void {
  for (const subject of subjects) if (subject.state === "running" && !subject.isLate) subject.reminders += 1;
}

/** The ends of a year of monthly terms, each of which begins at the end of the previous one. */
function monthEnds(): Date[] {
  const ends: Date[] = [];
  for (let end = endOfTerm(start, "P1M", "IN"); ends.length < 12; end = endOfTerm(end, "P1M", "IN"))
    ends.push(end);
  return ends;
}
