/**
 * A resume link from a mail. A GET changes nothing, because mail scanners open links too. Pressing the button consumes the link,
 * signs its buyer in and leads to the order. For another user the link does not work.
 */
import { useLoaderData } from "@remix-run/react";
import type { TokenHolder } from "#db/accounts/one-time-tokens.ts";
import { peekToken } from "#server/accounts/one-time-tokens.ts";
import { resumeLinkExpiredError, signInByResumeLink } from "#server/accounts/resume.ts";
import { findUser } from "#server/accounts/users.ts";
import * as paths from "#server/foundation/paths.ts";
import { findOrder } from "#server/orders/find.ts";
import { orderPath } from "#server/orders/order-path.ts";
import { emptySchema } from "../../forms/schemas.ts";
import { finishSignIn } from "../../http/finish-sign-in.ts";
import { formAction, pageLoader } from "../../http/page.ts";
import type { RequestContext } from "../../http/request-context.ts";
import { anyTokenParams } from "../../params.ts";
import { Breakable } from "../../ui/breakable.tsx";
import { DeadLinkPage, mailedLinkHead } from "../../ui/dead-link.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { Rich, useTranslate } from "../../ui/text.tsx";

const purpose = "resume-order";

export const meta = mailedLinkHead;

function requireBuyer(request: RequestContext, holder: TokenHolder | null): TokenHolder {
  if (holder === null || (request.session !== null && request.session.userId !== holder.userId))
    throw resumeLinkExpiredError();
  return holder;
}

export const loader = pageLoader(anyTokenParams, async (request, { token }) => {
  const { db } = request.context;
  const holder = requireBuyer(request, await peekToken(db, { purpose, token }));
  const user = await findUser(db, holder.userId);
  const order = holder.orderId === null ? null : await findOrder(db, holder.orderId);
  if (order === null || user === null || user.disabledAt !== null) throw resumeLinkExpiredError();
  return { title: request.text("access.resumeTitle"), product: order.line.name, email: user.email };
});

export const action = formAction({
  params: anyTokenParams,
  schema: emptySchema,
  handler: async (request, { token }) => {
    const { db } = request.context;
    requireBuyer(request, await peekToken(db, { purpose, token }));
    const { orderId, ...signedIn } = await signInByResumeLink(request.context, token);
    const order = await findOrder(db, orderId);
    if (order === null) throw resumeLinkExpiredError();
    return finishSignIn(request, signedIn, orderPath(order));
  },
});

export default function Resume() {
  const { title, product, email } = useLoaderData<typeof loader>();
  const text = useTranslate();
  return (
    <section className="page narrow">
      <h1>{title}</h1>
      <p className="lead">{text("access.orderWaits", { product })}</p>
      <p>
        <Rich
          text={text("access.willSignIn", { email })}
          parts={{ email: (words) => <Breakable>{words}</Breakable> }}
        />
      </p>
      <form method="post">
        <SubmitButton>{text("access.proceed")}</SubmitButton>
      </form>
    </section>
  );
}

/** A dead link loses nothing: the order is stored with the account, and the login leads to it. */
export function ErrorBoundary() {
  const text = useTranslate();
  return (
    <DeadLinkPage>
      <h1>{text("access.linkOver")}</h1>
      <p>{text("access.linkOverWhy")}</p>
      <p>{text("access.nothingLost")}</p>
      <p className="actions">
        <a className="button" href={paths.cart()}>
          {text("access.toCart")}
        </a>{" "}
        <a href={paths.myOrders()}>{text("access.myOrders")}</a>
      </p>
      <p>
        <Rich
          text={text("access.noPasswordYet")}
          parts={{ link: (words) => <a href={paths.forgotPassword()}>{words}</a> }}
        />
      </p>
    </DeadLinkPage>
  );
}
