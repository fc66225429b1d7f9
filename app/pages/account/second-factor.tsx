/**
 * `/account/second-factor`: two-step sign-in. When off, it leads to the key for an authenticator app; with a key, it asks for a
 * first code; when on, it creates new recovery codes and switches off. Recovery codes appear only in the response to a form.
 */
import { redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { ownAddress, safeReturnPath } from "#app/http/return-path.ts";
import { requiringCompany } from "#server/accounts/required-factor.ts";
import {
  confirmAuthenticatorSetup,
  disconnectAuthenticator,
  readAuthenticatorSetup,
  readSecondFactor,
  renewRecoveryCodes,
  startAuthenticatorSetup,
} from "#server/accounts/second-factor.ts";
import { findUser } from "#server/accounts/users.ts";
import { qrOf } from "#server/billing/documents/qr.ts";
import { brand } from "#server/foundation/brand.ts";
import { standardCountry } from "#server/foundation/countries/registry.ts";
import { assertNever } from "#server/foundation/errors.ts";
import * as paths from "#server/foundation/paths.ts";
import { formatDate } from "#server/orders/subscriptions/dates.ts";
import { secondFactorSchema } from "../../forms/account-schemas.ts";
import { formAction, pageLoader } from "../../http/page.ts";
import { redirectWith, requireOwnAccount } from "../../http/request-context.ts";
import { Callout } from "../../ui/callout.tsx";
import type { Handle } from "../../ui/handle.ts";
import { noindexMeta } from "../../ui/head.ts";
import { QrImage } from "../../ui/qr-image.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { Rich, useTranslate } from "../../ui/text.tsx";
import { ConfirmEmail } from "./confirm-email.tsx";
import { MailedCode } from "./mailed-code.tsx";
import { ReauthForm } from "./reauth-form.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";

export const meta = noindexMeta<{ title: string }>((data) => data?.title ?? "");

export const handle: Handle = { pageStyles: true };

export const loader = pageLoader(z.unknown(), async (request) => {
  const session = requireOwnAccount(request);
  const { context, language, text, url, view } = request;
  const next = safeReturnPath(url.searchParams.get("next"));
  const user = await findUser(context.db, session.userId);
  const company = await requiringCompany(context.db, session.userId);
  const factor = await readSecondFactor(context.db, session.userId);
  // Staff who impersonate the user must not connect their own app.
  const setUp =
    factor?.appSince == null && view === null ? await readAuthenticatorSetup(context, session) : null;
  return {
    title: text("twoStep.title"),
    email: session.email,
    isProven: user?.emailVerifiedAt != null,
    proof: user?.hasPassword === true ? ("password" as const) : ("mailed-code" as const),
    company,
    next: next === paths.home() ? paths.account() : next,
    store: brand.name,
    since:
      factor?.appSince == null
        ? null
        : formatDate(factor.appSince, session.customer?.country ?? standardCountry, language),
    passkeys: factor?.passkeys ?? 0,
    codesLeft: factor?.recoveryCodesLeft ?? null,
    setUp: setUp && {
      key: setUp.secret.replaceAll(/(.{4})(?=.)/g, "$1 "),
      qr: qrOf(setUp.address),
    },
  };
});

export const action = formAction({
  params: z.unknown(),
  schema: secondFactorSchema,
  handler: async (request, _params, value) => {
    const { context } = request;
    const session = requireOwnAccount(request);
    switch (value.intent) {
      case "begin":
        await startAuthenticatorSetup(context, session, value);
        return redirect(ownAddress(request.url), 303);
      case "confirm":
        return { output: { recoveryCodes: await confirmAuthenticatorSetup(context, session, value) } };
      case "new-codes":
        return { output: { recoveryCodes: await renewRecoveryCodes(context, session, value) } };
      case "off":
        await disconnectAuthenticator(context, session, value);
        return redirectWith(request, paths.secondFactor(), {
          type: "success",
          message: request.text("twoStep.switchedOff"),
        });
      default:
        return assertNever(value);
    }
  },
});

export default function SecondFactor() {
  const data = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const text = useTranslate();
  const { title, email, isProven, proof, company, next, store, since, passkeys, codesLeft, setUp } = data;
  if (reply?.output != null)
    return <RecoveryCodes codes={reply.output.recoveryCodes} email={email} store={store} next={next} />;
  const replyTo = (intent: string) =>
    reply?.result.initialValue?.intent === intent ? reply.result : undefined;
  const codes = since !== null ? ("app" as const) : passkeys > 0 ? ("recovery" as const) : null;
  const shown = { proof, codes };
  return (
    <section className="page narrow">
      <h1>{title}</h1>
      {company !== null && codes === null && (
        <Callout type="info">{text("twoStep.requiredLead", { company })}</Callout>
      )}
      <p className="lead">{since === null ? text("twoStep.lead") : text("twoStep.isOn", { date: since })}</p>
      {isProven && proof === "mailed-code" && <MailedCode email={email} next={paths.secondFactor(next)} />}
      {!isProven && <ConfirmEmail email={email}>{text("twoStep.confirmEmail")}</ConfirmEmail>}
      {isProven && since === null && setUp === null && (
        <ReauthForm
          intent="begin"
          lastResult={replyTo("begin")}
          proof={passkeys > 0 ? proof : null}
          codes={codes}
        >
          <SubmitButton>{text("twoStep.begin")}</SubmitButton>
        </ReauthForm>
      )}
      {setUp !== null && (
        <>
          <p>{text("twoStep.anyApp")}</p>
          <p>{text("twoStep.scan")}</p>
          <QrImage code={setUp.qr} label={text("twoStep.qrLabel")} />
          <p>
            <Rich
              text={text("twoStep.orType", { key: setUp.key })}
              parts={{ key: (words) => <code>{words}</code> }}
            />
          </p>
          <p>{text("twoStep.thenConfirm")}</p>
          <ReauthForm intent="confirm" lastResult={replyTo("confirm")} proof={proof} codes="first">
            <SubmitButton>{text("twoStep.switchOn")}</SubmitButton>
          </ReauthForm>
          <p className="hint">{text("twoStep.endsOthers")}</p>
        </>
      )}
      {since !== null && <p className="hint">{text("twoStep.newPhone")}</p>}
      <p>
        <a href={paths.passkeys(next === paths.account() ? undefined : next)}>
          {text("twoStep.passkeys", { count: passkeys })}
        </a>
      </p>
      {codesLeft !== null && (
        <>
          <h2>{text("twoStep.newCodesTitle")}</h2>
          <p>{text("twoStep.codesLeft", { count: codesLeft })}</p>
          <p>{text("twoStep.newCodesLead")}</p>
          <ReauthForm intent="new-codes" lastResult={replyTo("new-codes")} {...shown}>
            <SubmitButton>{text("twoStep.newCodes")}</SubmitButton>
          </ReauthForm>
        </>
      )}
      {since !== null && (
        <>
          <h2>{text("twoStep.offTitle")}</h2>
          {passkeys === 0 && (
            <p>{company === null ? text("twoStep.offLead") : text("twoStep.requiredStays", { company })}</p>
          )}
          <ReauthForm intent="off" lastResult={replyTo("off")} {...shown}>
            <SubmitButton variant="danger">{text("twoStep.off")}</SubmitButton>
          </ReauthForm>
        </>
      )}
      <p>
        <a href={paths.account()}>{text("account.back")}</a>
      </p>
    </section>
  );
}
