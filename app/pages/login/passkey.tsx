/** `/login/passkey`: signs in with a passkey, with its own script. */
import { getFormProps, useForm } from "@conform-to/react";
import { redirect } from "@remix-run/node";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { safeReturnPath } from "#app/http/return-path.ts";
import { signInByPasskey } from "#server/accounts/passkeys.ts";
import * as paths from "#server/foundation/paths.ts";
import passkeyScript from "../../enhance/passkeys.ts?worker&url";
import { loginPasskeySchema } from "../../forms/account-schemas.ts";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { formAction, pageLoader } from "../../http/page.ts";
import { setSession } from "../../http/request-context.ts";
import { noindexMeta } from "../../ui/head.ts";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { useTranslate } from "../../ui/text.tsx";

export const meta = noindexMeta<{ title: string }>((data) => data?.title ?? "");

export const loader = pageLoader(z.unknown(), async ({ session, text, url }) => {
  const next = safeReturnPath(url.searchParams.get("next"));
  if (session !== null) throw redirect(next);
  return { title: text("passkeys.signInTitle"), next };
});

export const action = formAction({
  params: z.unknown(),
  schema: loginPasskeySchema,
  handler: async (request, _params, { response, next }) => {
    await setSession(request, await signInByPasskey(request.context, response, request.clientAddress));
    return redirect(safeReturnPath(next), 303);
  },
});

export default function LoginPasskey() {
  const { title, next } = useLoaderData<typeof loader>();
  const text = useTranslate();
  const [form, fields] = useForm<{ response: string; next: string }>({
    id: "login-passkey",
    lastResult: useActionData<typeof action>()?.result ?? null,
  });
  return (
    <section className="page narrow">
      <h1>{title}</h1>
      <p>{text("passkeys.signInLead")}</p>
      <p className="without-scripts">{text("passkeys.needsScripts")}</p>
      <Form
        method="post"
        {...getFormProps(form)}
        noValidate
        data-passkey="sign-in"
        data-stopped={text("passkeys.stopped")}
        data-unsupported={text("passkeys.unsupported")}
      >
        <ErrorSummary form={form} fields={[fields.response]} />
        <input type="hidden" name="next" value={next} />
        <input type="hidden" name="response" value="" />
        <p className="actions needs-scripts">
          <SubmitButton>{text("passkeys.signIn")}</SubmitButton>
        </p>
      </Form>
      <p>
        <a href={paths.login(next === paths.home() ? undefined : next)}>{text("passkeys.anotherWay")}</a>
      </p>
      <script type="module" src={passkeyScript} />
    </section>
  );
}
