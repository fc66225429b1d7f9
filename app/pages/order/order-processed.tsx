/** Step 5, the closure page: what was bought works now, with what the buyer needs to sign in. */
import { redirect } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { dismissCredentials, readCredentials } from "#server/fulfilment/credentials.ts";
import { emptySchema } from "../../forms/schemas.ts";
import { formAction, pageLoader } from "../../http/page.ts";
import { openStep, stepPath } from "../../journey/guard.ts";
import { orderParams } from "../../params.ts";
import { paths } from "../../paths.ts";
import { Copyable } from "../../ui/copyable.tsx";

export const loader = pageLoader(orderParams, async (page, params) => {
  const order = await openStep(page, params, "order-processed");
  const { context } = page;
  return {
    existingUsername: order.signIn?.mode === "existing" ? order.signIn.username : null,
    credentials: await readCredentials(context, context.db, order.id, "sign-in"),
    product: `${order.line.name}, ${order.line.quantity} ${order.line.quantity === 1 ? "licence" : "licences"}`,
    here: stepPath(order, "order-processed"),
    explore: paths.explore(),
    subscriptions: paths.subscriptions(),
  };
});

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
            <Copyable label="Password" value={data.credentials.password} />
          </dl>
          <p className="hint">
            Shown here for 7 days, to you only. You choose a new password when you first sign in.
          </p>
          <form method="post" action={data.here}>
            <button type="submit" className="quiet">
              I have noted them: remove them from this page
            </button>
          </form>
        </section>
      )}
      {data.credentials === null && data.existingUsername === null && (
        <p>
          Your sign-in details are no longer shown here. If you have lost them, our support team can help.
        </p>
      )}
      <p className="actions">
        <a className="button" href="https://www.microsoft365.com/" rel="noreferrer">
          Get started
        </a>{" "}
        <a href={data.subscriptions}>Manage Subscriptions</a> <a href={data.explore}>Explore Services</a>
      </p>
    </>
  );
}
