/** Setting the first password, from the link mailed when an account was made while ordering. */
import { getFormProps, useForm } from "@conform-to/react";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { peekToken } from "#server/accounts/one-time-tokens.ts";
import { resetPassword } from "#server/accounts/password-reset.ts";
import { findUser } from "#server/accounts/users.ts";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { Field } from "../../forms/field.tsx";
import { setPasswordSchema } from "../../forms/schemas.ts";
import { formAction, pageLoader, redirectWith } from "../../http/page.ts";
import { tokenParams } from "../../params.ts";
import { paths } from "../../paths.ts";

const purpose = "set-password";

export const meta = () => [{ title: "Set your password | Hubs of Happiness" }];

export const loader = pageLoader(tokenParams, async ({ context }, { token }) => {
  const holder = await peekToken(context.db, { purpose, token });
  const user = holder === null ? null : await findUser(context.db, holder.userId);
  return { email: user?.email ?? null };
});

export const action = formAction({
  params: tokenParams,
  schema: setPasswordSchema,
  handler: async (page, { token }, { password }) => {
    await page.context.db.transaction().execute((trx) => resetPassword(trx, { purpose, token, password }));
    return redirectWith(page, paths.login(), { type: "success", message: "Password Updated Successfully!" });
  },
});

export default function SetPassword() {
  const { email } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const [form, fields] = useForm<{ password: string; confirmation: string }>({
    id: "password",
    lastResult: reply?.result ?? null,
  });
  if (email === null && reply === undefined) {
    return (
      <section className="page narrow">
        <h1>This link no longer works</h1>
        <p>It has been used already, or it is older than seven days.</p>
        <p>
          <a className="button" href={paths.login()}>
            Go to sign in
          </a>
        </p>
      </section>
    );
  }
  return (
    <section className="page narrow">
      <h1>Set your password</h1>
      <Form method="post" {...getFormProps(form)} noValidate>
        <ErrorSummary form={form} fields={[fields.password, fields.confirmation]} />
        {email !== null && (
          <div className="field">
            <label htmlFor="set-password-email">Email</label>
            <input id="set-password-email" value={email} readOnly autoComplete="username" />
          </div>
        )}
        <Field field={fields.password} label="New Password" type="password" autoComplete="new-password" />
        <Field
          field={fields.confirmation}
          label="Confirm New Password"
          type="password"
          autoComplete="new-password"
        />
        <button type="submit">Submit</button>
      </Form>
      <p>
        <a href={paths.login()}>Back to Sign In</a>
      </p>
    </section>
  );
}
