/** `/account/password`: changing the password while signed in. */
import { getFormProps, useForm } from "@conform-to/react";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { changePassword } from "#server/accounts/password-change.ts";
import { findUser } from "#server/accounts/users.ts";
import * as paths from "#server/foundation/paths.ts";
import { changePasswordSchema } from "../../forms/account-schemas.ts";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { Field } from "../../forms/field.tsx";
import { NewPasswordFields } from "../../forms/new-password-fields.tsx";
import { formAction, pageLoader } from "../../http/page.ts";
import { redirectWith, requireOwnAccount, setSession } from "../../http/request-context.ts";
import { Breakable } from "../../ui/breakable.tsx";
import { noindexMeta } from "../../ui/head.ts";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { Rich, useTranslate } from "../../ui/text.tsx";

export const meta = noindexMeta<{ title: string }>((data) => data?.title ?? "");

export const loader = pageLoader(z.unknown(), async (request) => {
  const { userId, email } = requireOwnAccount(request);
  const user = await findUser(request.context.db, userId);
  return {
    title: request.text("account.changePassword"),
    email,
    hasPassword: user?.hasPassword === true,
  };
});

export const action = formAction({
  params: z.unknown(),
  schema: changePasswordSchema,
  handler: async (request, _params, passwords) => {
    await setSession(request, await changePassword(request.context, requireOwnAccount(request), passwords));
    return redirectWith(request, paths.account(), {
      type: "success",
      message: request.text("account.passwordChanged"),
    });
  },
});

export default function ChangePassword() {
  const { title, email, hasPassword } = useLoaderData<typeof loader>();
  const text = useTranslate();
  const [form, fields] = useForm<{ currentPassword: string; password: string; confirmPassword: string }>({
    id: "change-password",
    lastResult: useActionData<typeof action>()?.result ?? null,
  });
  if (!hasPassword) {
    return (
      <section className="page narrow">
        <h1>{text("account.setPassword")}</h1>
        <p>
          <Rich
            text={text("account.linkSetsPassword", { email })}
            parts={{ email: (words) => <Breakable>{words}</Breakable> }}
          />
        </p>
        <form method="post" action={paths.passwordLink()}>
          <p className="actions">
            <SubmitButton>{text("account.emailLink")}</SubmitButton>{" "}
            <a href={paths.account()}>{text("account.back")}</a>
          </p>
        </form>
      </section>
    );
  }
  return (
    <section className="page narrow">
      <h1>{title}</h1>
      <Form method="post" {...getFormProps(form)} noValidate>
        <ErrorSummary
          form={form}
          fields={[fields.currentPassword, fields.password, fields.confirmPassword]}
        />
        <NewPasswordFields email={email} fields={fields}>
          <Field
            field={fields.currentPassword}
            label={text("account.currentPassword")}
            type="password"
            autoComplete="current-password"
          />
        </NewPasswordFields>
        <p className="hint">{text("account.staysHere")}</p>
        <p className="actions">
          <SubmitButton>{text("account.change")}</SubmitButton>{" "}
          <a href={paths.account()}>{text("account.back")}</a>
        </p>
      </Form>
      <p>
        <Rich
          text={text("account.forgotten")}
          parts={{ link: (words) => <a href={paths.forgotPassword()}>{words}</a> }}
        />
      </p>
    </section>
  );
}
