/** Requests a link to reset a password. The answer does not reveal whether the email has an account. */
import { getFormProps, useForm } from "@conform-to/react";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { askForPasswordReset, resetMailFailed } from "#server/accounts/password-reset.ts";
import * as paths from "#server/paths.ts";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { failureWords } from "../../forms/failure-words.ts";
import { Field } from "../../forms/field.tsx";
import { forgotPasswordSchema } from "../../forms/schemas.ts";
import { formAction, pageLoader } from "../../http/page.ts";
import { Callout } from "../../ui/callout.tsx";
import type { Handle } from "../../ui/handle.ts";
import { indexedPage } from "../../ui/head.ts";
import { SubmitButton } from "../../ui/submit-button.tsx";

export const handle: Handle = { sameForEveryone: true };

export const meta = indexedPage(() => ({
  title: "Forgot your password?",
  description: "Ask for a link to choose a new password.",
  path: paths.forgotPassword(),
}));

export const loader = pageLoader(z.unknown(), async ({ session }) => ({ email: session?.email ?? "" }));

export const action = formAction({
  params: z.unknown(),
  schema: forgotPasswordSchema,
  whenBroken: resetMailFailed,
  handler: async (request, _params, { email }) => {
    await askForPasswordReset(request.context.db, email, request.clientAddress);
    return { output: { said: "Reset Password Link has been sent to your Email." } };
  },
});

export default function ForgotPassword() {
  const { email } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const [form, fields] = useForm<{ email: string }>({
    id: "forgot-password",
    lastResult: reply?.result ?? null,
    defaultValue: { email },
  });
  return (
    <section className="page narrow">
      <h1>Forgot your password?</h1>
      {reply?.output ? (
        <Callout type="success" live>
          <p>{reply.output.said}</p>
          <p>It works for one hour. If no email arrives, look in your spam folder, or check the address.</p>
        </Callout>
      ) : (
        <p>Enter your email, and we will send you a link to choose a new password.</p>
      )}
      <Form method="post" {...getFormProps(form)} noValidate data-when-unsent={failureWords.forgotPassword}>
        <ErrorSummary form={form} fields={[fields.email]} />
        <Field field={fields.email} label="Email" type="email" autoComplete="username" inputMode="email" />
        <p className="actions">
          <SubmitButton>Submit</SubmitButton> <a href={paths.login()}>Back to Sign In</a>
        </p>
      </Form>
    </section>
  );
}
