/**
 * `/orders/{id}/approval` and `/approve/{token}`: the steps that an order into an existing tenant waits for. The buyer opens the
 * first. The administrator who was asked by the buyer opens the second, and sees no other part of the order.
 */
import { redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import type { Order } from "#db/orders/order.ts";
import { hasProvenMailbox } from "#server/accounts/email-verification.ts";
import { administratorOf } from "#server/catalogue/families/registry.ts";
import { brand } from "#server/foundation/brand.ts";
import * as paths from "#server/foundation/paths.ts";
import { requestedAdministrator } from "#server/fulfilment/administrators.ts";
import {
  approvalOf,
  domainRecord,
  isApprovalPending,
  orderOfLink,
  proveByDomain,
  requestAdministratorApproval,
} from "#server/fulfilment/approval.ts";
import { checkInvitation, findOrderInvitation } from "#server/fulfilment/partner-invitations.ts";
import { ProviderError } from "#server/integrations/errors.ts";
import { nameForStrangers } from "#server/mail/templates/shared.ts";
import { isPaid } from "#server/orders/payment-state.ts";
import { approvalSchema } from "../../forms/company-schemas.ts";
import {
  allowOpener,
  approvalPathOf,
  popup,
  requireSameOriginReferrer,
  toSignIn,
} from "../../http/administrator.ts";
import { formAction, pageLoader } from "../../http/page.ts";
import { enforceRateLimit, rateLimits } from "../../http/rate-limits.ts";
import { type RequestContext, redirectWith } from "../../http/request-context.ts";
import { currentPath, openOrder, requesterOf } from "../../journey/guard.ts";
import { pollIntervalOf } from "../../journey/waiting-data.ts";
import { approvalParams } from "../../params.ts";
import { noindexMeta } from "../../ui/head.ts";
import { useTranslate } from "../../ui/text.tsx";
import { signInErrorText } from "./sign-in-errors.ts";
import { ApprovalClosed, ApprovalDone, ApprovalSteps } from "./views.tsx";

export const meta = noindexMeta<{ title: string }>((data) => data?.title ?? "");

interface Params {
  id?: string | undefined;
  token?: string | undefined;
}

/** The order, for its buyer or for the holder of its link. Null when the link no longer works. @throws as openOrder */
function orderFor(
  request: RequestContext,
  { id, token }: Params,
  { fresh = false } = {},
): Promise<Order | null> {
  return token === undefined
    ? openOrder(request, { id: id ?? "" }, { fresh })
    : orderOfLink(request.context.db, token);
}

async function viewOf(request: RequestContext, params: Params, order: Order | null) {
  const { db } = request.context;
  const isBuyer = params.token === undefined;
  const inPopup = request.url.searchParams.get("window") === popup;
  if (inPopup) allowOpener(request);
  const orderHref = isBuyer && order !== null ? currentPath(order) : null;
  const { text } = request;
  const title = text("approval.title");
  if (order === null) return { view: "closed" as const, title, orderHref };
  const now = new Date();
  const waiting = await approvalOf(db, order, now);
  if (waiting?.proven === true && waiting.invitation !== null)
    await checkInvitation(request.context, waiting.invitation.id);
  const approval =
    waiting?.proven === true
      ? await approvalOf(db, (await orderFor(request, params, { fresh: true })) ?? order, now)
      : waiting;
  const isProvenNow = approval?.proven === true;
  const isAwaited = request.url.searchParams.get("for") ?? "";
  if (isAwaited !== "" && isOpen(order) && approval?.domain !== isAwaited) {
    // Next opened this window, and the post's answer is still on its way.
    request.responseHeaders.set("Refresh", "1");
    return { view: "moment" as const, title };
  }
  if (!isApprovalPending(approval)) {
    const isDone = isProvenNow || (await isAccepted(request, order));
    return isDone
      ? { view: "done" as const, title, orderHref, isPaid: isPaid(order) }
      : { view: "closed" as const, title, orderHref };
  }
  const { domain, proven, invitation } = approval;
  const rules = administratorOf(approval.claim.family);
  const userId = request.session?.userId ?? null;
  const isConfirmed = userId !== null && (await hasProvenMailbox(db, userId));
  // No refresh until the sign-in is proven, because somebody may be typing.
  const { waitMs, refreshSeconds } = pollIntervalOf(request.context);
  // A visitor with a mailed link has no call to poll, so the page reloads, at an interval long enough for reading.
  if (proven && !isBuyer)
    request.responseHeaders.set("Refresh", String(Math.max(refreshSeconds, minReadingSeconds)));
  const kept = inPopup ? { window: popup } : {};
  return {
    view: "steps" as const,
    title,
    orderHref,
    store: brand.name,
    company: nameForStrangers(order.account?.companyName ?? "", request.language),
    domain,
    proven,
    refused:
      proven || rules === null
        ? null
        : signInErrorText(request.url.searchParams.get("refused"), domain, rules, text),
    signIn:
      rules === null ? null : { at: rules.signsInAt, href: approvalPathOf(params, { ...kept, sign: "in" }) },
    record: rules !== null || proven ? null : await domainRecord(db, approval, now),
    partner: invitation === null ? null : { href: invitation.link ?? "", inPopup },
    requestedEmail: isBuyer ? await requestedAdministrator(db, order.id, domain) : null,
    mayAsk: isBuyer && !proven && isConfirmed,
    confirm: isBuyer && !proven && !isConfirmed ? { email: request.session?.email ?? "" } : null,
    waits:
      proven && isBuyer
        ? { url: paths.invitationStatus(order.id, order.account?.email ?? ""), ms: waitMs }
        : null,
    ...(proven && isBuyer && { refreshSeconds }),
  };
}

const minReadingSeconds = 15;

const isOpen = (order: Order) => order.fulfilmentStatus === "waiting_for_signin";

async function isAccepted({ context }: RequestContext, order: Order): Promise<boolean> {
  return (await findOrderInvitation(context.db, order.id))?.status === "accepted";
}

export const loader = pageLoader(approvalParams, async (request, params) => {
  const order = await orderFor(request, params);
  if (request.url.searchParams.get("sign") === "in") throw await leave(request, params, order);
  return viewOf(request, params, order);
});

/** Redirects to the vendor, or back to the page where there is nothing to sign in for. */
async function leave(request: RequestContext, params: Params, order: Order | null): Promise<Response> {
  requireSameOriginReferrer(request);
  const inPopup = request.url.searchParams.get("window") === popup;
  if (inPopup) allowOpener(request);
  const kept = inPopup ? { window: popup } : {};
  const back = approvalPathOf(params, kept);
  const approval = order === null ? null : await approvalOf(request.context.db, order, new Date());
  if (
    order === null ||
    approval === null ||
    approval.proven ||
    administratorOf(approval.claim.family) === null
  )
    return redirect(back);
  const tenantId = approval.claim.tenantExternalId;
  await enforceRateLimit(rateLimits.administratorSignIn, request);
  try {
    return await toSignIn(request, { orderId: order.id, tenantId, rolesByGraph: false, back });
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    request.log.warn({ err: error }, "an administrator's sign-in could not begin");
    return redirect(approvalPathOf(params, { ...kept, refused: "unavailable" }));
  }
}

export const action = formAction({
  params: approvalParams,
  schema: approvalSchema,
  handler: async (request, params, value) => {
    const order = await orderFor(request, params);
    const here = approvalPathOf(params);
    if (order === null) return redirect(here, 303);
    const about = { orderId: order.id, by: request.session?.userId ?? null, now: new Date() };
    if (value.intent === "look-up") {
      await proveByDomain(request.context, about);
      return redirect(here, 303);
    }
    // The holder of a mailed link must not send further links in the buyer's name.
    if (params.token !== undefined) return redirect(here, 303);
    await requestAdministratorApproval(request.context, {
      orderId: order.id,
      email: value.email,
      requester: requesterOf(request),
      now: about.now,
    });
    return redirectWith(request, here, {
      type: "success",
      message: request.text("approval.mailed", { email: value.email }),
    });
  },
});

export default function ApprovalPage() {
  const data = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>()?.result;
  const text = useTranslate();
  if (data.view === "moment") {
    return (
      <section className="page narrow">
        <h1>{text("approval.moment")}</h1>
        <p role="status">{text("approval.looking")}</p>
      </section>
    );
  }
  if (data.view === "closed") return <ApprovalClosed {...data} />;
  if (data.view === "done") return <ApprovalDone {...data} />;
  return <ApprovalSteps {...data} lastResult={result} />;
}
