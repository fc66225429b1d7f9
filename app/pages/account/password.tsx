/** `/account/password`: changing the password while signed in. */
import { getFormProps, useForm } from "@conform-to/react";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { changePassword } from "#server/accounts/password-change.ts";
import { findUser } from "#server/accounts/users.ts";
import * as paths from "#server/paths.ts";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { Field } from "../../forms/field.tsx";
import { NewPasswordFields } from "../../forms/new-password-fields.tsx";
import { changePasswordSchema } from "../../forms/schemas.ts";
import { formAction, pageLoader } from "../../http/page.ts";
import { redirectWith, requireSession, setSession } from "../../http/request-context.ts";
import { Breakable } from "../../ui/breakable.tsx";
import { unindexedPage } from "../../ui/head.ts";
import { SubmitButton } from "../../ui/submit-button.tsx";

export const meta = unindexedPage("Change your password");

export const loader = pageLoader(z.unknown(), async (request) => {
  const { userId, email } = requireSession(request);
  const user = await findUser(request.context.db, userId);
  return { email, hasPassword: user?.hasPassword === true };
});

export const action = formAction({
  params: z.unknown(),
  schema: changePasswordSchema,
  handler: async (request, _params, passwords) => {
    await setSession(request, await changePassword(request.context, requireSession(request), passwords));
    return redirectWith(request, paths.account(), {
      type: "success",
      message: "Your password is changed. You are signed out everywhere else.",
    });
  },
});

export default function ChangePassword() {
  const { email, hasPassword } = useLoaderData<typeof loader>();
  const [form, fields] = useForm<{ currentPassword: string; password: string; confirmPassword: string }>({
    id: "change-password",
    lastResult: useActionData<typeof action>()?.result ?? null,
  });
  if (!hasPassword) {
    return (
      <section className="page narrow">
        <h1>Set a password</h1>
        <p>
          Your account has no password yet. We will email a link to <Breakable>{email}</Breakable>; with it
          you choose one, and sign in again.
        </p>
        <form method="post" action={paths.passwordLink()}>
          <p className="actions">
            <SubmitButton>Email me the link</SubmitButton> <a href={paths.account()}>Back to My Account</a>
          </p>
        </form>
      </section>
    );
  }
  return (
    <section className="page narrow">
      <h1>Change your password</h1>
      <Form method="post" {...getFormProps(form)} noValidate>
        <ErrorSummary
          form={form}
          fields={[fields.currentPassword, fields.password, fields.confirmPassword]}
        />
        <NewPasswordFields email={email} fields={fields}>
          <Field
            field={fields.currentPassword}
            label="Current Password"
            type="password"
            autoComplete="current-password"
          />
        </NewPasswordFields>
        <p className="hint">
          You stay signed in here and are signed out everywhere else. Links to your account emailed before,
          and invitations you have sent, no longer work.
        </p>
        <p className="actions">
          <SubmitButton>Change password</SubmitButton> <a href={paths.account()}>Back to My Account</a>
        </p>
      </Form>
      <p>
        Forgotten your current password? <a href={paths.forgotPassword()}>Reset it</a>.
      </p>
    </section>
  );
}
