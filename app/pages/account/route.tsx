/** The account page: who is signed in, their sessions, and signing out everywhere. */

import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { findCustomer } from "#server/accounts/customers.ts";
import { listSessions, revokeAllSessions } from "#server/accounts/sessions.ts";
import { findUser } from "#server/accounts/users.ts";
import { standardCountry } from "#server/countries/country.ts";
import * as paths from "#server/paths.ts";
import { formatDate, formatTime } from "#server/subscriptions/dates.ts";
import { emptySchema } from "../../forms/schemas.ts";
import { formAction, pageLoader } from "../../http/page.ts";
import { clearSession, redirectWith, requireSession } from "../../http/request-context.ts";
import { DateText, type DateView } from "../../ui/date-text.tsx";
import { unindexedPage } from "../../ui/head.ts";
import { Lines } from "../../ui/lines.tsx";
import { ListTable } from "../../ui/list.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { ConfirmEmail } from "./confirm-email.tsx";

export const meta = unindexedPage("My Account");

export const loader = pageLoader(z.unknown(), async (request) => {
  const session = requireSession(request);
  const { db } = request.context;
  const company = session.customer === null ? null : await findCustomer(db, session.customer.id);
  const country = company?.country ?? standardCountry;
  const say = (date: Date): DateView => ({
    iso: date.toISOString(),
    text: `${formatDate(date, country)}, ${formatTime(date, country)}`,
  });
  const sessions = await listSessions(db, session.userId);
  const user = await findUser(db, session.userId);
  return {
    name: `${session.firstName} ${session.lastName}`,
    email: session.email,
    isProven: user?.emailVerifiedAt != null,
    phone: session.phone,
    company: company?.name ?? null,
    sessions: sessions.map(({ sessionId, createdAt, lastUsedAt }) => ({
      id: sessionId,
      isThisOne: sessionId === session.sessionId,
      created: say(createdAt),
      lastUsed: say(lastUsedAt),
    })),
  };
});

export const action = formAction({
  params: z.unknown(),
  schema: emptySchema,
  handler: async (request) => {
    await revokeAllSessions(request.context.db, requireSession(request).userId);
    await clearSession(request);
    return redirectWith(request, paths.login(), {
      type: "success",
      message: "You are signed out everywhere.",
    });
  },
});

export default function Account() {
  const { name, email, isProven, phone, company, sessions } = useLoaderData<typeof loader>();
  return (
    <div className="page">
      <h1>My Account</h1>
      <div className="narrow-form">
        <Lines
          lines={[
            { label: "Name", value: name },
            { label: "Email", value: email },
            { label: "Mobile Number", value: phone },
            ...(company === null ? [] : [{ label: "Company", value: company }]),
          ]}
        />
      </div>
      <p>
        <a href={paths.changePassword()}>Change your password</a>
      </p>
      {!isProven && (
        <ConfirmEmail email={email}>
          Your email is not confirmed yet: you can place orders, but you cannot invite anyone yet.
        </ConfirmEmail>
      )}
      <h2>Where you are signed in</h2>
      <ListTable
        label="Where you are signed in"
        columns={["Browser", "Signed in", "Last used"]}
        rows={sessions.map((session) => ({
          id: session.id,
          cells: [
            session.isThisOne ? "This one" : "Another one",
            <DateText key="created" {...session.created} />,
            <DateText key="used" {...session.lastUsed} />,
          ],
        }))}
      />
      <form method="post">
        <p className="hint">
          Does something look wrong, or is a device lost? This signs you out on every device, including this
          one.
        </p>
        <p className="actions">
          <SubmitButton look="danger">Sign out everywhere</SubmitButton>
        </p>
      </form>
    </div>
  );
}
