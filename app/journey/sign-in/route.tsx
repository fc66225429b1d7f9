/** Step 4, Sign-In: the destination account, the wait for a partner approval, and the wait for fulfilment. */
import { redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import type { Order } from "#db/orders/order.ts";
import { families } from "#server/catalogue/families/registry.ts";
import { notFound } from "#server/foundation/errors.ts";
import { msg } from "#server/foundation/languages/text.ts";
import { findOrderInvitation } from "#server/fulfilment/partner-invitations.ts";
import { answerSignIn } from "#server/fulfilment/sign-in-step.ts";
import { stepPath } from "#server/orders/order-path.ts";
import type { SignInScreens, SignInValue } from "../../families/family.ts";
import { screens } from "../../families/registry.ts";
import { SignInQuestions } from "../../families/sign-in-questions.tsx";
import { formAction, pageLoader } from "../../http/page.ts";
import type { RequestContext } from "../../http/request-context.ts";
import { orderParams } from "../../params.ts";
import { Callout } from "../../ui/callout.tsx";
import type { Handle } from "../../ui/handle.ts";
import { useTranslate } from "../../ui/text.tsx";
import { StepHeading } from "../frame.tsx";
import { openStep, requesterOf } from "../guard.ts";
import { NeedsAttention, OrderInProgress } from "../order-progress.tsx";
import { pollIntervalOf, progressOf } from "../waiting-data.ts";

export const handle: Handle = { hydrate: true };

export { shouldRevalidate } from "../stale-page.ts";

/** @throws DomainError not_found for a family without a sign-in step */
function questionsOf({ family }: Order): SignInScreens {
  const { signIn } = screens[family];
  if (signIn === null) throw notFound("order");
  return signIn;
}

type Invitation = Awaited<ReturnType<typeof findOrderInvitation>>;

/** Derived only from the order, so that every reload and every device shows the same. */
async function viewOf(request: RequestContext, order: Order, invitation: Invitation) {
  const progress = await progressOf(request, order);
  if (progress !== null) return progress;
  const place = { invitation, here: stepPath(order, "sign-in"), ...pollIntervalOf(request.context) };
  return { view: "asks" as const, ...(await questionsOf(order).view(request, order, place)) };
}

export const loader = pageLoader(orderParams, async (request, params) => {
  const read = await openStep(request, params, "sign-in");
  const invitation = await findOrderInvitation(request.context.db, read.id);
  // An approval moves the order on. If it was accepted just now, the order read earlier is stale.
  const order =
    invitation?.status === "accepted" ? await openStep(request, params, "sign-in", { fresh: true }) : read;
  const view = await viewOf(request, order, invitation);
  const title =
    view.view === "working"
      ? request.text("steps.settingUp")
      : request.text("steps.signIn", { family: families[order.family].label });
  return { title, ...view };
});

export const action = formAction({
  params: orderParams,
  faultMessage: (requestId) => msg("signIn.failed", { requestId }),
  open: async (request, params) => {
    const order = await openStep(request, params, "sign-in");
    const { schema, post } = questionsOf(order);
    const requester = requesterOf(request);
    const about = { orderId: order.id, requester, clientAddress: request.clientAddress, now: new Date() };
    return {
      schema,
      handler: async (_request: RequestContext, _params: unknown, value: SignInValue) => {
        const next = await post(request, order, value, {
          requester,
          answer: (given) => answerSignIn(request.context, { ...about, ...given }),
        });
        return redirect(next ?? stepPath(order, "sign-in"), 303);
      },
    };
  },
});

export default function SignIn() {
  const data = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const text = useTranslate();
  if (data.view === "attention") return <NeedsAttention {...data} />;
  return (
    <>
      <StepHeading>{data.title}</StepHeading>
      {data.view === "working" ? (
        <OrderInProgress {...data} />
      ) : (
        <>
          {data.problem !== null && (
            <Callout type="error">
              <p>{text("waiting.notAgain", { problem: data.problem })}</p>
            </Callout>
          )}
          <SignInQuestions asks={data.asks} lastResult={reply?.result} offers={reply?.offers ?? []} />
        </>
      )}
    </>
  );
}
