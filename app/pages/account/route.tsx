/** The account page: the signed-in user, their sessions, and signing out everywhere. */

import { useForm } from "@conform-to/react";
import { useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { parseId, type SessionId } from "#db/ids.ts";
import { findCustomer } from "#server/accounts/customers.ts";
import { deviceText, locationText } from "#server/accounts/device-text.ts";
import { endSession, listSessions, revokeAllSessions } from "#server/accounts/sessions.ts";
import { findUser } from "#server/accounts/users.ts";
import { standardCountry } from "#server/foundation/countries/registry.ts";
import * as paths from "#server/foundation/paths.ts";
import { fullName } from "#server/foundation/placeholders.ts";
import { formatDate, formatTime } from "#server/orders/subscriptions/dates.ts";
import { sessionsSchema } from "../../forms/account-schemas.ts";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { formAction, pageLoader } from "../../http/page.ts";
import { clearSession, redirectWith, requireOwnAccount } from "../../http/request-context.ts";
import { DateText, type DateView } from "../../ui/date-text.tsx";
import type { Handle } from "../../ui/handle.ts";
import { noindexMeta } from "../../ui/head.ts";
import { ListTable } from "../../ui/list.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { SummaryList } from "../../ui/summary-list.tsx";
import { useTranslate } from "../../ui/text.tsx";
import { ConfirmEmail } from "./confirm-email.tsx";
import { EndSession, SessionName } from "./session-name.tsx";
import { settingsOf } from "./settings.ts";

export const meta = noindexMeta<{ title: string }>((data) => data?.title ?? "");

export const handle: Handle = { pageStyles: true };

export const loader = pageLoader(z.unknown(), async (request) => {
  const session = requireOwnAccount(request);
  const { language, text } = request;
  const { db } = request.context;
  const company = session.customer === null ? null : await findCustomer(db, session.customer.id);
  const country = company?.country ?? standardCountry;
  const say = (date: Date): DateView => ({
    iso: date.toISOString(),
    text: text("account.when", {
      date: formatDate(date, country, language),
      time: formatTime(date, country, language),
    }),
  });
  const sessions = await listSessions(db, session.userId);
  const user = await findUser(db, session.userId);
  return {
    title: text("account.title"),
    settings: await settingsOf(request, {
      userId: session.userId,
      hasPassword: user?.hasPassword === true,
    }),
    name: fullName(session),
    email: session.email,
    isProven: user?.emailVerifiedAt != null,
    phone: session.phone,
    company: company?.name ?? null,
    sessions: sessions.map(({ sessionId, createdAt, lastUsedAt, device, network, country: from }) => ({
      id: sessionId,
      device: deviceText(text, device),
      place: locationText(text, language, { network, country: from }),
      isThisOne: sessionId === session.sessionId,
      created: say(createdAt),
      lastUsed: say(lastUsedAt),
    })),
  };
});

export const action = formAction({
  params: z.unknown(),
  schema: sessionsSchema,
  handler: async (request, _params, { session }) => {
    const { db } = request.context;
    const { userId } = requireOwnAccount(request);
    const sessionId = parseId<SessionId>(session);
    if (sessionId !== null) {
      await endSession(db, userId, sessionId);
      return redirectWith(request, paths.account(), {
        type: "success",
        message: request.text("account.sessionEnded"),
      });
    }
    await revokeAllSessions(db, userId);
    await clearSession(request);
    return redirectWith(request, paths.login(), {
      type: "success",
      message: request.text("account.signedOut"),
    });
  },
});

export default function Account() {
  const lastResult = useActionData<typeof action>()?.result ?? null;
  const [refused] = useForm({ id: "sessions", lastResult });
  const { title, name, email, isProven, phone, company, settings, sessions } = useLoaderData<typeof loader>();
  const text = useTranslate();
  return (
    <div className="page">
      <h1>{title}</h1>
      <ErrorSummary form={refused} fields={[]} />
      <div className="narrow-form">
        <SummaryList
          lines={[
            { label: text("account.name"), value: name },
            { label: text("account.email"), value: email },
            { label: text("account.mobileNumber"), value: phone },
            ...(company === null
              ? []
              : [{ label: text("account.company"), value: company, change: paths.company() }]),
            ...settings,
          ]}
        />
      </div>
      <p>
        <a href={paths.myData()}>{text("myData.link")}</a>
      </p>
      {!isProven && <ConfirmEmail email={email}>{text("account.notConfirmed")}</ConfirmEmail>}
      <h2>{text("account.sessions")}</h2>
      <ListTable
        label={text("account.sessions")}
        columns={[
          { label: text("account.browser"), holds: "words" },
          text("account.signedIn"),
          text("account.lastUsed"),
          { label: text("account.end"), holds: "acts" },
        ]}
        rows={sessions.map((session) => ({
          id: session.id,
          cells: [
            <SessionName key="name" {...session} />,
            <DateText key="created" {...session.created} />,
            <DateText key="used" {...session.lastUsed} />,
            !session.isThisOne && <EndSession key="end" {...session} />,
          ],
        }))}
      />
      <form method="post">
        <p className="hint">{text("account.signsOutHere")}</p>
        <p className="actions">
          <SubmitButton variant="danger">{text("account.signOutEverywhere")}</SubmitButton>
        </p>
      </form>
    </div>
  );
}
