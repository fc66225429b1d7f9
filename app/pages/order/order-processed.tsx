/** Step 5, the closure page: what was bought works now, with what the buyer needs to sign in. */
import { redirect } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { brand } from "#server/brand.ts";
import type { Env } from "#server/env.ts";
import { unreachable } from "#server/errors.ts";
import { dismissCredentials, readCredentials } from "#server/fulfilment/credentials.ts";
import type { Order } from "#server/orders/order.ts";
import { emptySchema } from "../../forms/schemas.ts";
import { formAction, pageLoader } from "../../http/page.ts";
import { openStep, stepPath } from "../../journey/guard.ts";
import { NeedsAttention, Working } from "../../journey/waiting.tsx";
import { waitFor } from "../../journey/waiting-data.ts";
import { orderParams } from "../../params.ts";
import { paths } from "../../paths.ts";
import { Copyable } from "../../ui/copyable.tsx";

export const loader = pageLoader(orderParams, async (page, params) => {
  const order = await openStep(page, params, "order-processed");
  const { context } = page;
  // Without a sign-in step the order is carried out behind this page.
  if (order.fulfilmentStatus === "needs_attention") {
    return { view: "attention" as const, orderId: order.id, supportUrl: brand.supportUrl };
  }
  if (order.stage !== "stage4") return { view: "working" as const, ...waitFor(context, order) };
  const isOwner = page.session !== null && page.session.userId === order.userId;
  return {
    view: "done" as const,
    existingUsername: order.signIn?.mode === "existing" ? order.signIn.username : null,
    // The company may see that it is done; what opens the account is for who ordered it (DESIGN ruling 16).
    credentials: isOwner ? await readCredentials(context, context.db, order.id, "sign-in") : null,
    product: `${order.line.name}, ${order.line.quantity} ${order.line.quantity === 1 ? "licence" : "licences"}`,
    here: stepPath(order, "order-processed"),
    ...closureOf(context.env, order),
    explore: paths.explore(),
    subscriptions: paths.subscriptions(),
  };
});

const shownFor7Days = "Shown here for 7 days, to you only.";

/** What differs by family: where to start, what the secret is called, and what a buyer without credentials is told. */
function closureOf(env: Env, order: Order) {
  switch (order.family) {
    case "brio":
      return {
        getStarted: env.BRIO_URL,
        secretName: "Access code",
        secretHint: `Mailed to you as well. ${shownFor7Days}`,
        isTransfer: false,
      };
    case "google":
      return {
        getStarted: "https://admin.google.com/",
        secretName: "Password",
        secretHint: `This is the password you chose. ${shownFor7Days}`,
        isTransfer: order.signIn?.mode === "google-transfer",
      };
    case "microsoft":
      return {
        getStarted: "https://www.microsoft365.com/",
        secretName: "Password",
        secretHint: `${shownFor7Days} You choose a new password when you first sign in.`,
        isTransfer: false,
      };
    default:
      return unreachable(order.family);
  }
}

/** The buyer has noted the credentials: they are deleted at once (DESIGN ruling 16). */
export const action = formAction({
  params: orderParams,
  schema: emptySchema,
  handler: async (page, params) => {
    const order = await openStep(page, params, "order-processed");
    await dismissCredentials(page.context.db, order.id);
    return redirect(stepPath(order, "order-processed"), 303);
  },
});

export default function OrderProcessed() {
  const data = useLoaderData<typeof loader>();
  if (data.view === "attention")
    return <NeedsAttention orderId={data.orderId} supportUrl={data.supportUrl} />;
  if (data.view === "working") {
    return (
      <>
        <h1>Thank you for your order</h1>
        <Working {...data} />
      </>
    );
  }
  return (
    <>
      <h1>
        {data.existingUsername === null
          ? "Welcome Onboard!"
          : "Get started with your Microsoft 365 subscription"}
      </h1>
      <p className="lead">{data.product} is ready.</p>
      {data.existingUsername !== null && (
        <p>
          It was added to the account of <strong>{data.existingUsername}</strong>. Sign in there as you always
          do.
        </p>
      )}
      {data.credentials !== null && (
        <section className="card credentials" aria-labelledby="credentials-title">
          <h2 id="credentials-title">Your sign-in details</h2>
          <dl className="review">
            <Copyable label="Username" value={data.credentials.username} />
            <Copyable label={data.secretName} value={data.credentials.password} />
          </dl>
          <p className="hint">{data.secretHint}</p>
          <form method="post" action={data.here}>
            <button type="submit" className="quiet">
              I have noted them: remove them from this page
            </button>
          </form>
        </section>
      )}
      {data.isTransfer && <p>Your Google account and its plans are with us now. Sign in as you always do.</p>}
      {data.credentials === null && data.existingUsername === null && !data.isTransfer && (
        <p>
          Your sign-in details are no longer shown here. If you have lost them, our support team can help.
        </p>
      )}
      <p className="actions">
        <a className="button" href={data.getStarted} rel="noreferrer">
          Get started
        </a>{" "}
        <a href={data.subscriptions}>Manage Subscriptions</a> <a href={data.explore}>Explore Services</a>
      </p>
    </>
  );
}
