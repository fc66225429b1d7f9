/** Step 5, the closure page: what was bought, now active, and what the buyer needs to sign in. */
import { redirect } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import type { Order } from "#db/order.ts";
import type { Db } from "#db/tables/index.ts";
import { listDashboard } from "#server/catalogue/items.ts";
import type { Context } from "#server/context.ts";
import { dismissCredentials, showCredentials } from "#server/credentials/credentials.ts";
import { families } from "#server/families/family.ts";
import * as paths from "#server/paths.ts";
import { licences } from "#server/pricing/quantity.ts";
import { formatDate } from "#server/subscriptions/dates.ts";
import { findSubscription } from "#server/subscriptions/subscription.ts";
import { screens } from "../../families/family.ts";
import { emptySchema } from "../../forms/schemas.ts";
import { formAction, pageLoader } from "../../http/page.ts";
import { orderParams } from "../../params.ts";
import { Breakable } from "../../ui/breakable.tsx";
import { Copyable } from "../../ui/copyable.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { openStep, stepPath } from "../guard.ts";
import { NeedsAttention, Thanks } from "../waiting.tsx";
import { progressOf } from "../waiting-data.ts";

export const loader = pageLoader(orderParams, async (request, params) => {
  const order = await openStep(request, params, "order-processed");
  const { context } = request;
  // An order without a sign-in step is fulfilled while this page waits.
  const progress = progressOf(context, order);
  if (progress !== null) return progress;
  const { db } = context;
  const isBuyer = request.session !== null && request.session.userId === order.userId;
  return {
    view: "done" as const,
    title: titleOf(order),
    addedTo: addedToOf(order),
    changed: await changeOf(db, order),
    isBuyer,
    // Other members may see that the order is done, but only its buyer sees the credentials.
    credentials: isBuyer ? await credentialsOf(context, order) : null,
    ready: readyOf(order),
    here: stepPath(order, "order-processed"),
    getStarted: families[order.family].startUrl(context.env),
    secret: screens[order.family].secret,
    moved: families[order.family].movedWords(order),
    leftToDo: families[order.family].leftToDo(order),
    addOns: isBuyer ? await addOnLinks(db, order) : [],
    explore: paths.customerHome(),
    subscriptions: paths.subscriptions(),
    invoice: paths.invoice(order.id),
  };
});

/** The add-ons available for the plan just bought. */
async function addOnLinks(db: Db, { family, itemId, subscriptionId }: Order) {
  const { addOns } = await listDashboard(db, family);
  return addOns
    .filter(({ baseItemIds }) => subscriptionId !== null && baseItemIds.includes(itemId))
    .map(({ name, sku }) => ({ name, href: paths.newAddOn({ sku_id: sku, base: subscriptionId ?? "" }) }));
}

/** The effect of a change on its subscription, in words, or null for an order that created a subscription. */
async function changeOf(db: Db, { kind, subscriptionId, country, account }: Order): Promise<string[] | null> {
  if ((kind !== "ADD" && kind !== "RENEW") || subscriptionId === null) return null;
  const subscription = await findSubscription(db, subscriptionId);
  if (subscription === null) return null;
  const { domain, quantity, end, next } = subscription;
  const until = formatDate(end, country);
  const email = account?.email ?? "your email address";
  if (kind === "ADD") {
    return [
      `${domain} has ${licences(quantity)} now, to ${until}. Assign them in its admin console, where you sign in as you always do.`,
    ];
  }
  return [
    next === null
      ? `The new term has begun: ${domain} has ${licences(quantity)}, to ${until}.`
      : `The next term begins on ${formatDate(next.start, country)} with ${licences(next.quantity)}, and runs to ${until}. The service is not interrupted.`,
    `Credentials are delivered to the registered email, ${email}. Unless that email names new ones, you sign in as before.`,
  ];
}

function readyOf({ kind, line }: Order): string {
  const what = `${line.name}, ${licences(line.quantity)}`;
  if (kind === "ADD") return `${what} added.`;
  if (kind === "RENEW") return `${what} renewed.`;
  return `${what} ${line.quantity === 1 ? "is" : "are"} ready.`;
}

function titleOf(order: Order): string {
  if (order.kind === "ADD") return "License Added";
  if (order.kind === "RENEW") return "License Renewed";
  if (order.kind === "ADDON") return "Subscription Added";
  const { name, tenants } = families[order.family];
  if (addedToOf(order) === null || tenants === null) return "Welcome Onboard!";
  return `Get started with your ${name} subscription`;
}

/** The buyer's existing account that received the order, or null. */
function addedToOf({ kind, family, signIn, details }: Order): string | null {
  if (signIn?.mode === "existing") return `the account of ${signIn.username}`;
  if (kind === "ADD" || kind === "RENEW") return null;
  const isNew = kind === "NEW" || families[family].tenants === null || signIn !== null;
  return isNew ? null : (details.addedTo ?? "your account");
}

async function credentialsOf(context: Context, { id, country }: Order) {
  const kept = await showCredentials(context, context.db, id);
  return kept === null
    ? null
    : {
        username: kept.username,
        password: kept.password,
        shownUntil: `Shown here to you only, until ${formatDate(kept.until, country)}.`,
      };
}

/** The buyer has confirmed twice that they noted the credentials, so these are deleted at once. */
export const action = formAction({
  params: orderParams,
  schema: emptySchema,
  handler: async (request, params) => {
    const order = await openStep(request, params, "order-processed");
    await dismissCredentials(request.context.db, order, request.session?.userId ?? null);
    return redirect(stepPath(order, "order-processed"), 303);
  },
});

export default function OrderProcessed() {
  const data = useLoaderData<typeof loader>();
  if (data.view === "attention") return <NeedsAttention {...data} />;
  if (data.view === "working") return <Thanks {...data} />;
  return (
    <>
      <h1>{data.title}</h1>
      <p className="lead">{data.ready}</p>
      {data.changed?.map((sentence) => (
        <p key={sentence}>
          <Breakable>{sentence}</Breakable>
        </p>
      ))}
      {data.addedTo !== null && (
        <p>
          It was added to{" "}
          <strong>
            <Breakable>{data.addedTo}</Breakable>
          </strong>
          . Sign in there as you always do.
        </p>
      )}
      {data.credentials !== null && (
        <section className="card" aria-labelledby="credentials-title">
          <h2 id="credentials-title">
            Your <span className="one-line">sign-in</span> details
          </h2>
          <dl>
            <Copyable label="Username" value={data.credentials.username} />
            <Copyable label={data.secret.name} value={data.credentials.password} />
          </dl>
          <p className="hint">
            {data.secret.hint} {data.credentials.shownUntil}
          </p>
          <details>
            <summary>I have saved them…</summary>
            <form method="post" action={data.here}>
              <p>Remove them? They cannot be shown again.</p>
              <SubmitButton look="danger">Remove them</SubmitButton>
            </form>
          </details>
        </section>
      )}
      {data.moved !== null && <p>{data.moved}</p>}
      {data.credentials === null && data.addedTo === null && data.changed === null && data.moved === null && (
        <p>
          {data.isBuyer
            ? "Your sign-in details are no longer shown here. If you have lost them, our support team can help."
            : "Only the person who placed this order can see its sign-in details."}
        </p>
      )}
      {data.leftToDo.length > 0 && (
        <section className="card" aria-labelledby="left-title">
          <h2 id="left-title">Before you can use it</h2>
          <ol>
            {data.leftToDo.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ol>
        </section>
      )}
      <p className="actions">
        <a className="button" href={data.getStarted} rel="noreferrer">
          Get started
        </a>{" "}
        <a href={data.subscriptions}>Manage Subscriptions</a> <a href={data.explore}>Explore Services</a>{" "}
        <a href={data.invoice}>Invoice</a>
      </p>
      {data.addOns.map(({ name, href }) => (
        <p key={name} className="hint">
          Goes with it: <a href={href}>add {name}</a>
        </p>
      ))}
    </>
  );
}
