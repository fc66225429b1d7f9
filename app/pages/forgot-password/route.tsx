/** Requests a link to reset a password. The answer does not reveal whether the email has an account. */
import { getFormProps, useForm } from "@conform-to/react";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { requestPasswordReset, resetMailFailed } from "#server/accounts/password-reset.ts";
import * as paths from "#server/foundation/paths.ts";
import { forgotPasswordSchema } from "../../forms/account-schemas.ts";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { LoginEmail } from "../../forms/login-email.tsx";
import { formAction, pageLoader } from "../../http/page.ts";
import { Callout } from "../../ui/callout.tsx";
import type { Handle } from "../../ui/handle.ts";
import { indexedPage } from "../../ui/indexed-page.ts";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { useTranslate } from "../../ui/text.tsx";

export const handle: Handle = { publiclyCacheable: true };

export const meta = indexedPage<{ title: string; description: string }>(({ title, description }) => ({
  title,
  description,
  path: paths.forgotPassword(),
}));

export const loader = pageLoader(z.unknown(), async ({ session, text }) => ({
  title: text("access.forgotTitle"),
  description: text("access.forgotDescription"),
  email: session?.email ?? "",
}));

export const action = formAction({
  params: z.unknown(),
  schema: forgotPasswordSchema,
  faultMessage: resetMailFailed,
  handler: async (request, _params, { email }) => {
    await requestPasswordReset(request.context.db, email, request.clientAddress);
    return { output: { said: request.text("access.resetSent") } };
  },
});

export default function ForgotPassword() {
  const { title, email } = useLoaderData<typeof loader>();
  const text = useTranslate();
  const reply = useActionData<typeof action>();
  const [form, fields] = useForm<{ email: string }>({
    id: "forgot-password",
    lastResult: reply?.result ?? null,
    defaultValue: { email },
  });
  return (
    <section className="page narrow">
      <h1>{title}</h1>
      {reply?.output ? (
        <Callout type="success" live>
          <p>{reply.output.said}</p>
          <p>{text("access.resetSentHint")}</p>
        </Callout>
      ) : (
        <p>{text("access.forgotLead")}</p>
      )}
      <Form
        method="post"
        {...getFormProps(form)}
        noValidate
        // The shared script inserts the reason.
        data-when-unsent={text("access.resetUnsent", { error: "{error}" })}
      >
        <ErrorSummary form={form} fields={[fields.email]} />
        <LoginEmail field={fields.email} />
        <p className="actions">
          <SubmitButton>{text("access.submit")}</SubmitButton>{" "}
          <a href={paths.login()}>{text("access.backToSignIn")}</a>
        </p>
      </Form>
    </section>
  );
}
