/**
 * `/billing/{token}`: a billing contact's choice to receive a company's documents by email. Opening it changes nothing, because
 * mail scanners open links too. The link works for as long as they are a contact, with or without an account.
 */
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { answerContactRequest, contactOfToken } from "#server/accounts/billing-contacts.ts";
import { DomainError } from "#server/foundation/errors.ts";
import { msg } from "#server/foundation/languages/text.ts";
import * as paths from "#server/foundation/paths.ts";
import { safeName } from "#server/mail/safe-name.ts";
import { formAction, pageLoader } from "../../http/page.ts";
import { redirectWith } from "../../http/request-context.ts";
import { anyTokenParams } from "../../params.ts";
import { DeadLinkPage, mailedLinkHead } from "../../ui/dead-link.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { useTranslate } from "../../ui/text.tsx";
import { documentKindsText } from "../company/contacts-data.ts";

export const meta = mailedLinkHead;

export const loader = pageLoader(anyTokenParams, async (request, { token }) => {
  const { text } = request;
  const contact = await contactOfToken(request.context.db, token);
  if (contact === null) throw new DomainError("not_found", msg("billing.deadTitle"));
  const { email, confirmedAt } = contact;
  const company = safeName(contact.company) ?? request.text("mail.aCompany");
  const said = { company, email, what: documentKindsText(contact, text) };
  return {
    title: text("billing.linkTitle", { company }),
    says: text(confirmedAt === null ? "billing.linkAsks" : "billing.linkGets", said),
    isConfirmed: confirmedAt !== null,
  };
});

export const action = formAction({
  params: anyTokenParams,
  schema: z.object({ intent: z.enum(["confirm", "stop"]) }),
  handler: async (request, { token }, { intent }) => {
    const { context, text } = request;
    const contact = await context.db.transaction().execute((trx) => answerContactRequest(trx, token, intent));
    const company = safeName(contact.company) ?? request.text("mail.aCompany");
    const message = intent === "confirm" ? text("billing.agreed") : text("billing.stopped", { company });
    // A removed contact has no page any more.
    const next = intent === "confirm" ? paths.billingContact(token) : paths.home();
    return redirectWith(request, next, { type: "success", message });
  },
});

export default function BillingContactPage() {
  const { title, says, isConfirmed } = useLoaderData<typeof loader>();
  const text = useTranslate();
  return (
    <section className="page narrow">
      <h1>{title}</h1>
      <p>{says}</p>
      <form method="post">
        <p className="actions">
          {!isConfirmed && (
            <SubmitButton name="intent" value="confirm">
              {text("billing.agree")}
            </SubmitButton>
          )}{" "}
          <SubmitButton name="intent" value="stop" variant="quiet">
            {text("billing.stop")}
          </SubmitButton>
        </p>
      </form>
    </section>
  );
}

export function ErrorBoundary() {
  const text = useTranslate();
  return (
    <DeadLinkPage>
      <h1>{text("billing.deadTitle")}</h1>
      <p>{text("billing.dead")}</p>
    </DeadLinkPage>
  );
}
