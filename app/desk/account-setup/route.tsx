/** `/desk/set-up/{token}`: completes an account: a password, an authenticator app, and recovery codes that are shown once. */
import { getFormProps, useForm } from "@conform-to/react";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { qrOf } from "#server/billing/documents/qr.ts";
import { completeSetUp, readStaffSetup } from "#server/desk/staff-accounts.ts";
import { DomainError } from "#server/foundation/errors.ts";
import * as paths from "#server/foundation/paths.ts";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { Field } from "../../forms/field.tsx";
import { tokenParams } from "../../params.ts";
import { CodeList } from "../../ui/code-list.tsx";
import { noindexMeta } from "../../ui/head.ts";
import { QrImage } from "../../ui/qr-image.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { deskHandle } from "../handle.ts";
import { setStaffSession, signedOutAction, signedOutLoader } from "../route-builders.ts";

export const handle = deskHandle;
export const meta = noindexMeta("Set up your account");

/** NIST SP 800-63B requires 15 characters for a password without a second factor, and 8 with one. */
const minPasswordLength = 12;

const schema = z
  .object({
    password: z
      .string("Choose a password.")
      .min(minPasswordLength, `Use at least ${minPasswordLength} characters.`)
      .max(1024, "Use 1,024 characters or fewer."),
    confirmPassword: z.string("Repeat the password.").min(1, "Repeat the password."),
    code: z.string("Enter the code from your app.").trim().min(1, "Enter the code from your app.").max(40),
  })
  .refine(({ password, confirmPassword }) => password === confirmPassword, {
    path: ["confirmPassword"],
    message: "The passwords don't match.",
  });

export const loader = signedOutLoader(tokenParams, async ({ context }, { token }) => {
  try {
    const { email, secret, address } = await readStaffSetup(context, token);
    return { link: { email, secret: secret.replaceAll(/(.{4})(?=.)/g, "$1 "), qr: qrOf(address) } };
  } catch (error) {
    // After the post the link is used up, and the page shows the recovery codes.
    if (error instanceof DomainError && error.code === "not_found") return { link: null };
    throw error;
  }
});

export const action = signedOutAction({
  params: tokenParams,
  schema,
  handler: async (request, { token }, { password, code }) => {
    const client = request.raw.headers.get("user-agent") ?? "";
    const { session, recoveryCodes } = await completeSetUp(
      request.context,
      { token, password, code },
      client,
    );
    await setStaffSession(request, session);
    return { output: { recoveryCodes } };
  },
});

export default function SetUp() {
  const { link } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const [form, fields] = useForm<{ password: string; confirmPassword: string; code: string }>({
    id: "set-up",
    lastResult: reply?.result ?? null,
  });
  if (reply?.output != null) return <RecoveryCodes codes={reply.output.recoveryCodes} />;
  if (link === null) {
    return (
      <section className="page narrow">
        <h1>This link has been used or has expired</h1>
        <p>Ask an admin for a new one.</p>
        <p>
          <a className="button" href={paths.deskLogin()}>
            Sign in
          </a>
        </p>
      </section>
    );
  }
  return (
    <section className="page narrow">
      <h1>Set up your account</h1>
      <p>For {link.email}.</p>
      <Form method="post" {...getFormProps(form)} noValidate>
        <ErrorSummary form={form} fields={[fields.password, fields.confirmPassword, fields.code]} />
        <h2>1. Choose a password</h2>
        <Field
          field={fields.password}
          label="Password"
          hint={`At least ${minPasswordLength} characters.`}
          type="password"
          autoComplete="new-password"
        />
        <Field
          field={fields.confirmPassword}
          label="Confirm password"
          type="password"
          autoComplete="new-password"
        />
        <h2>2. Connect an authenticator app</h2>
        <p>Scan this code with your app, or enter the key below it.</p>
        <QrImage code={link.qr} label="The key as a QR code" />
        <p>
          Key: <code>{link.secret}</code>
        </p>
        <Field
          field={fields.code}
          label="Code"
          hint="The 6-digit code in the app for this account."
          autoComplete="one-time-code"
          inputMode="numeric"
        />
        <p className="actions">
          <SubmitButton>Set up the account</SubmitButton>
        </p>
      </Form>
    </section>
  );
}

function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  return (
    <section className="page narrow">
      <h1>Save your recovery codes</h1>
      <p>Each one signs you in once if you lose your authenticator app. We show them only here.</p>
      <CodeList codes={codes} />
      <p>
        <a className="button" href={paths.desk()}>
          I've saved them: go to Desk
        </a>
      </p>
    </section>
  );
}
