/** `/account/notifications`: the user's choice of mails. */
import { Form, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { chooseTopics, listWanted, mailTopics } from "#server/accounts/mail-preferences.ts";
import * as paths from "#server/foundation/paths.ts";
import { notificationsSchema } from "../../forms/account-schemas.ts";
import { Choice } from "../../forms/choice.tsx";
import { formAction, pageLoader } from "../../http/page.ts";
import { redirectWith, requireOwnAccount } from "../../http/request-context.ts";
import { noindexMeta } from "../../ui/head.ts";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { useTranslate } from "../../ui/text.tsx";

export const meta = noindexMeta<{ title: string }>((data) => data?.title ?? "");

export const loader = pageLoader(z.unknown(), async (request) => {
  const { userId, email } = requireOwnAccount(request);
  const wanted = await listWanted(request.context.db, userId);
  return {
    title: request.text("notifications.title"),
    email,
    topics: mailTopics.map((topic) => ({ topic, isWanted: wanted.includes(topic) })),
  };
});

export const action = formAction({
  params: z.unknown(),
  schema: notificationsSchema,
  handler: async (request, _params, chosen) => {
    const { userId } = requireOwnAccount(request);
    const wanted = mailTopics.filter((topic) => chosen[topic] !== undefined);
    await request.context.db.transaction().execute((trx) => chooseTopics(trx, userId, wanted));
    return redirectWith(request, paths.notifications(), {
      type: "success",
      message: request.text("notifications.saved"),
    });
  },
});

const hints = {
  renewals: "notifications.renewalsHint",
  reminders: "notifications.remindersHint",
} as const;

export default function Notifications() {
  const { title, email, topics } = useLoaderData<typeof loader>();
  const text = useTranslate();
  return (
    <section className="page narrow">
      <h1>{title}</h1>
      <p>{text("notifications.lead", { email })}</p>
      <Form method="post">
        {topics.map(({ topic, isWanted }) => (
          <Choice
            key={topic}
            type="checkbox"
            name={topic}
            defaultChecked={isWanted}
            title={text(`notifications.${topic}`)}
            hint={text(hints[topic])}
          />
        ))}
        <p className="actions">
          <SubmitButton>{text("notifications.save")}</SubmitButton>
        </p>
      </Form>
      <h2>{text("notifications.always")}</h2>
      <p>{text("notifications.alwaysHint")}</p>
      <p>
        <a href={paths.account()}>{text("account.back")}</a>
      </p>
    </section>
  );
}
