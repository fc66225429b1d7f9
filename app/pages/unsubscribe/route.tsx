/**
 * `/unsubscribe/{token}`: unsubscribes from a kind of mail by a mailed link, without signing in. A GET changes nothing, because
 * mail scanners open links too. Mailbox providers post to the same URL for their own button (RFC 8058), without our page.
 */
import { redirect } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { chooseByLink, readUnsubscription } from "#server/accounts/mail-preferences.ts";
import { crossSiteFormAction, pageLoader } from "../../http/page.ts";
import { rateLimits } from "../../http/rate-limits.ts";
import { ownAddress } from "../../http/return-path.ts";
import { anyTokenParams } from "../../params.ts";
import { DeadLinkPage, mailedLinkHead } from "../../ui/dead-link.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { useTranslate } from "../../ui/text.tsx";

export const meta = mailedLinkHead;

export const loader = pageLoader(
  anyTokenParams,
  async (request, { token }) => {
    const { email, topic, isWanted } = await readUnsubscription(request.context.db, token);
    return {
      title: request.text(isWanted ? "notifications.stopTitle" : "notifications.stoppedTitle"),
      email,
      topic,
      isWanted,
    };
  },
  { limit: rateLimits.unsubscribe },
);

export const action = crossSiteFormAction({
  limit: rateLimits.unsubscribe,
  handler: async (request, posted, params) => {
    const { token } = anyTokenParams.parse(params);
    await chooseByLink(request.context.db, { token, isWanted: posted.has("again") });
    const isProvider = posted.get("List-Unsubscribe") === "One-Click";
    return isProvider
      ? new Response(null, { status: 204 })
      : redirect(ownAddress({ pathname: request.url.pathname, search: "" }), 303);
  },
});

const words = {
  renewals: { ask: "notifications.stopRenewals", done: "notifications.stoppedRenewals" },
  reminders: { ask: "notifications.stopReminders", done: "notifications.stoppedReminders" },
} as const;

export default function Unsubscribe() {
  const { title, email, topic, isWanted } = useLoaderData<typeof loader>();
  const text = useTranslate();
  return (
    <section className="page narrow">
      <h1>{title}</h1>
      <p className="lead">{text(isWanted ? words[topic].ask : words[topic].done, { email })}</p>
      {topic === "renewals" && <p>{text("notifications.endsAnyway")}</p>}
      <form method="post">
        {isWanted ? (
          <SubmitButton>{text("notifications.stop")}</SubmitButton>
        ) : (
          <SubmitButton variant="quiet" name="again" value="yes">
            {text("notifications.again")}
          </SubmitButton>
        )}
      </form>
      <p className="hint">{text("notifications.others")}</p>
    </section>
  );
}

export function ErrorBoundary() {
  const text = useTranslate();
  return (
    <DeadLinkPage>
      <h1>{text("access.linkOver")}</h1>
      <p>{text("access.linkOverWhy")}</p>
    </DeadLinkPage>
  );
}
