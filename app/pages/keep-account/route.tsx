/**
 * `/keep-account/{token}`: the mailed link that cancels a deletion. Opening it changes nothing, because mail scanners open links
 * too.
 */
import { useLoaderData } from "@remix-run/react";
import { standardCountry } from "#server/foundation/countries/registry.ts";
import { notFound } from "#server/foundation/errors.ts";
import * as paths from "#server/foundation/paths.ts";
import { formatDate } from "#server/orders/subscriptions/dates.ts";
import { cancelDeletionByLink, findDeletionByLink } from "#server/privacy/delete.ts";
import { emptySchema } from "../../forms/schemas.ts";
import { formAction, pageLoader } from "../../http/page.ts";
import { redirectWith } from "../../http/request-context.ts";
import { anyTokenParams } from "../../params.ts";
import { DeadLinkPage, mailedLinkHead } from "../../ui/dead-link.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { useTranslate } from "../../ui/text.tsx";

export const meta = mailedLinkHead;

export const loader = pageLoader(anyTokenParams, async ({ context, text, language }, { token }) => {
  const deletion = await findDeletionByLink(context.db, token);
  if (deletion === null) throw notFound();
  const date = formatDate(deletion.dueAt, standardCountry, language);
  return { title: text("myData.keepTitle"), lead: text("myData.keepLead", { date }) };
});

export const action = formAction({
  params: anyTokenParams,
  schema: emptySchema,
  handler: async (request, { token }) => {
    await cancelDeletionByLink(request.context.db, token);
    return redirectWith(request, paths.home(), { type: "success", message: request.text("myData.kept") });
  },
});

export default function KeepAccount() {
  const { title, lead } = useLoaderData<typeof loader>();
  const text = useTranslate();
  return (
    <section className="page narrow">
      <h1>{title}</h1>
      <p className="lead">{lead}</p>
      <form method="post">
        <SubmitButton>{text("myData.keep")}</SubmitButton>
      </form>
    </section>
  );
}

export function ErrorBoundary() {
  const text = useTranslate();
  return (
    <DeadLinkPage>
      <h1>{text("myData.linkOver")}</h1>
      <p>{text("myData.linkOverWhy")}</p>
      <p className="actions">
        <a className="button" href={paths.myData()}>
          {text("myData.title")}
        </a>
      </p>
    </DeadLinkPage>
  );
}
