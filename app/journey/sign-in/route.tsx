/** Step 4, Sign-In: which account the order goes to, the wait for a partner's approval, and the wait for fulfilment. */
import { redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { brand } from "#server/brand.ts";
import { unreachable } from "#server/errors.ts";
import { suggestPrefix } from "#server/families/microsoft/domain.ts";
import { askedAdministrator } from "#server/fulfilment/administrators.ts";
import { findInvitation } from "#server/fulfilment/invitations.ts";
import { answerGoogleSignIn, answerSignIn, checkApproval } from "#server/fulfilment/sign-in.ts";
import type { Order } from "#server/orders/order.ts";
import * as paths from "#server/paths.ts";
import { formatDate } from "#server/subscriptions/dates.ts";
import { GoogleSignInForm } from "../../families/google/sign-in-form.tsx";
import { ApprovalPanel, timedOutMessage } from "../../families/microsoft/approval-panel.tsx";
import { SignInForm } from "../../families/microsoft/sign-in-form.tsx";
import { signInFormSchema } from "../../forms/schemas.ts";
import { popup } from "../../http/administrator.ts";
import { formAction, pageLoader } from "../../http/page.ts";
import type { RequestContext } from "../../http/request-context.ts";
import { orderParams } from "../../params.ts";
import { Callout } from "../../ui/callout.tsx";
import type { Handle } from "../../ui/handle.ts";
import { StepHeading } from "../frame.tsx";
import { askerOf, openStep, stepPath } from "../guard.ts";
import { NeedsAttention, Working } from "../waiting.tsx";
import { progressOf, rhythmOf } from "../waiting-data.ts";

export const handle: Handle = { hydrate: true };

type Invitation = Awaited<ReturnType<typeof findInvitation>>;

/** What the step shows follows from the order alone, so that every reload and every device shows the same. */
async function viewOf(request: RequestContext, order: Order, invitation: Invitation) {
  const progress = progressOf(request.context, order);
  if (progress !== null) return progress;
  const problem = order.details.signInProblem ?? null;
  if (order.family === "google") {
    const { google } = order.details;
    return {
      view: "google" as const,
      // Asked again, it is another form: what was refused is not in it any more.
      attempt: order.version,
      problem,
      domain: google?.domain ?? "",
      isTransfer: google?.customerType === "transfer_token",
      username: order.signIn?.mode === "google-new" ? order.signIn.username : "admin",
    };
  }
  if (
    invitation?.status === "pending" &&
    order.signIn?.mode === "existing" &&
    request.url.searchParams.get("change") === null
  ) {
    return {
      view: "approval" as const,
      username: invitation.username,
      domain: invitation.domain,
      asked: await askedAdministrator(request.context.db, order.id, invitation.domain),
      until: formatDate(invitation.expires_at, order.country),
      approval: paths.approval(order.id),
      waitUrl: paths.invitationStatus(order.id, order.account?.email ?? ""),
      ...rhythmOf(request.context),
      change: `${stepPath(order, "sign-in")}?change=1`,
    };
  }
  return {
    view: "form" as const,
    timedOut: invitation?.status === "timed_out" && order.signIn?.mode === "existing",
    problem,
    answers: order.signIn?.mode === "new" || order.signIn?.mode === "existing" ? order.signIn : null,
    suggestion: suggestPrefix(order.account?.companyName ?? ""),
    approval: paths.approval(order.id, { window: popup }),
    supportUrl: brand.supportUrl,
  };
}

export const loader = pageLoader(orderParams, async (request, params) => {
  const read = await openStep(request, params, "sign-in");
  const invitation = await findInvitation(request.context.db, read.id);
  // An approval moves its order on: one accepted just now has done so since the order was read.
  const order =
    invitation?.status === "accepted" ? await openStep(request, params, "sign-in", { anew: true }) : read;
  const title = order.family === "google" ? "Google Sign-In" : "Microsoft Sign-In";
  return { title, ...(await viewOf(request, order, invitation)) };
});

export const action = formAction({
  params: orderParams,
  schema: signInFormSchema,
  handler: async (request, params, value) => {
    const order = await openStep(request, params, "sign-in");
    const here = stepPath(order, "sign-in");
    const asker = askerOf(request);
    const answer = (answers: Parameters<typeof answerSignIn>[1]["answers"]) =>
      answerSignIn(request.context, {
        orderId: order.id,
        asker,
        answers,
        clientAddress: request.clientAddress,
        now: new Date(),
      });
    switch (value.mode) {
      case "new":
        await answer({ mode: "new", username: value.username, prefix: value.prefix });
        break;
      case "existing":
        await answer({ mode: "existing", username: value.existingUsername });
        if (value.plain === "on") return redirect(paths.approval(order.id), 303);
        break;
      case "check-again":
        await checkApproval(request.context, order.id, asker);
        break;
      case "google-new":
        await answerGoogleSignIn(request.context, {
          orderId: order.id,
          asker,
          answers: { mode: value.mode, username: value.username },
          secret: {
            purpose: "sign-in",
            username: `${value.username}@${order.details.google?.domain ?? ""}`,
            value: value.password,
          },
        });
        break;
      case "google-transfer":
        await answerGoogleSignIn(request.context, {
          orderId: order.id,
          asker,
          answers: { mode: value.mode },
          secret: { purpose: "transfer-token", username: "", value: value.transferToken },
        });
        break;
      default:
        unreachable(value);
    }
    return redirect(here, 303);
  },
});

export default function SignIn() {
  const data = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>()?.result;
  if (data.view === "attention")
    return <NeedsAttention orderId={data.orderId} supportUrl={data.supportUrl} />;
  return (
    <>
      <StepHeading>{data.title}</StepHeading>
      {data.view === "working" && <Working {...data} />}
      {data.view === "approval" && <ApprovalPanel {...data} />}
      {data.view === "form" && data.timedOut && (
        <Callout type="error">
          <p>{timedOutMessage}</p>
        </Callout>
      )}
      {"problem" in data && data.problem !== null && (
        <Callout type="error">
          <p>{data.problem} You will not be charged again.</p>
        </Callout>
      )}
      {data.view === "form" && (
        <SignInForm
          lastResult={result}
          answers={data.answers}
          suggestion={data.suggestion}
          approval={data.approval}
        />
      )}
      {data.view === "google" && <GoogleSignInForm key={data.attempt} lastResult={result} {...data} />}
    </>
  );
}
