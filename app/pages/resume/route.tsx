/**
 * A resume link from a mail. A GET changes nothing, because mail scanners open links too. Pressing the button consumes the
 * link, signs its buyer in and leads to the order. For another user the link does not work.
 */
import { useLoaderData } from "@remix-run/react";
import type { TokenHolder } from "#db/one-time-tokens.ts";
import { peekToken } from "#server/accounts/one-time-tokens.ts";
import { signInByResumeLink } from "#server/accounts/resume.ts";
import { findUser } from "#server/accounts/users.ts";
import { notFound } from "#server/errors.ts";
import { orderPath } from "#server/orders/address.ts";
import { findOrder } from "#server/orders/find.ts";
import * as paths from "#server/paths.ts";
import { emptySchema } from "../../forms/schemas.ts";
import { enter } from "../../http/enter.ts";
import { formAction, pageLoader } from "../../http/page.ts";
import type { RequestContext } from "../../http/request-context.ts";
import { tokenParams } from "../../params.ts";
import { Breakable } from "../../ui/breakable.tsx";
import { DeadLinkPage } from "../../ui/dead-link.tsx";
import { unindexedPage } from "../../ui/head.ts";
import { SubmitButton } from "../../ui/submit-button.tsx";

const purpose = "resume-order";

export const meta = unindexedPage((data) =>
  data === undefined ? "This link no longer works" : "Continue your order",
);

function requireBuyer(request: RequestContext, holder: TokenHolder | null): TokenHolder {
  if (holder === null || (request.session !== null && request.session.userId !== holder.userId))
    throw notFound("order");
  return holder;
}

export const loader = pageLoader(tokenParams, async (request, { token }) => {
  const { db } = request.context;
  const holder = requireBuyer(request, await peekToken(db, { purpose, token }));
  const user = await findUser(db, holder.userId);
  const order = holder.orderId === null ? null : await findOrder(db, holder.orderId);
  if (order === null || user === null || user.disabledAt !== null) throw notFound("order");
  return { product: order.line.name, email: user.email };
});

export const action = formAction({
  params: tokenParams,
  schema: emptySchema,
  handler: async (request, { token }) => {
    const { db } = request.context;
    requireBuyer(request, await peekToken(db, { purpose, token }));
    const { orderId, ...signedIn } = await signInByResumeLink(request.context, token);
    const order = await findOrder(db, orderId);
    if (order === null) throw notFound("order");
    return enter(request, signedIn, orderPath(order));
  },
});

export default function Resume() {
  const { product, email } = useLoaderData<typeof loader>();
  return (
    <section className="page narrow">
      <h1>Continue your order</h1>
      <p className="lead">{product} is waiting where you left it.</p>
      <p>
        You will be signed in as <Breakable>{email}</Breakable>. This link works once.
      </p>
      <form method="post">
        <SubmitButton>Continue</SubmitButton>
      </form>
    </section>
  );
}

/** A dead link loses nothing: the order is stored with the account, and the login leads to it. */
export function ErrorBoundary() {
  return (
    <DeadLinkPage>
      <h1>This link no longer works</h1>
      <p>It has been used already, its time is over, or a part of it is missing.</p>
      <p>
        Nothing is lost. Your order is kept with your account: in the cart until it is paid, then in My
        Orders. You may have to log in first.
      </p>
      <p className="actions">
        <a className="button" href={paths.cart()}>
          Go to the cart
        </a>{" "}
        <a href={paths.myOrders()}>My Orders</a>
      </p>
      <p>
        No password yet, or forgotten it? <a href={paths.forgotPassword()}>Ask for a link to choose one</a>.
      </p>
    </DeadLinkPage>
  );
}
