/**
 * `/account/second-factor`: two-step sign-in. Off, it leads to the key for an authenticator app; with a key, it asks for a first
 * code; on, it makes new recovery codes and switches off. Recovery codes are in the answer to a form, and nowhere else.
 */
import { redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import {
  beginSetUp,
  confirmSetUp,
  readSecondFactor,
  readSetUp,
  renewRecoveryCodes,
  switchOff,
} from "#server/accounts/second-factor.ts";
import { findUser } from "#server/accounts/users.ts";
import { brand } from "#server/brand.ts";
import { standardCountry } from "#server/countries/country.ts";
import { qrOf } from "#server/documents/qr.ts";
import { unreachable } from "#server/errors.ts";
import * as paths from "#server/paths.ts";
import { formatDate } from "#server/subscriptions/dates.ts";
import { secondFactorSchema } from "../../forms/schemas.ts";
import { formAction, pageLoader } from "../../http/page.ts";
import { redirectWith, requireSession } from "../../http/request-context.ts";
import type { Handle } from "../../ui/handle.ts";
import { unindexedPage } from "../../ui/head.ts";
import { QrImage } from "../../ui/qr-image.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { Rich, useText } from "../../ui/text.tsx";
import { ConfirmEmail } from "./confirm-email.tsx";
import { KeepCodes } from "./keep-codes.tsx";
import { ShownForm } from "./shown-form.tsx";

export const meta = unindexedPage<{ title: string }>((data) => data?.title ?? "");

export const handle: Handle = { pageStyles: true };

export const loader = pageLoader(z.unknown(), async (request) => {
  const session = requireSession(request);
  const { context, language, text, view } = request;
  const user = await findUser(context.db, session.userId);
  const factor = await readSecondFactor(context.db, session.userId);
  // Staff who look at the store as its user must not connect an app of theirs.
  const setUp = factor === null && view === null ? await readSetUp(context, session) : null;
  return {
    title: text("twoStep.title"),
    email: session.email,
    isProven: user?.emailVerifiedAt != null,
    hasPassword: user?.hasPassword === true,
    store: brand.name,
    on: factor && {
      since: formatDate(factor.addedAt, session.customer?.country ?? standardCountry, language),
      codesLeft: factor.recoveryCodesLeft,
    },
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
    const session = requireSession(request);
    switch (value.intent) {
      case "begin":
        await beginSetUp(context, session.userId);
        return redirect(paths.secondFactor(), 303);
      case "confirm":
        return { output: { recoveryCodes: await confirmSetUp(context, session, value) } };
      case "new-codes":
        return { output: { recoveryCodes: await renewRecoveryCodes(context, session, value) } };
      case "off":
        await switchOff(context, session, value);
        return redirectWith(request, paths.secondFactor(), {
          type: "success",
          message: request.text("twoStep.switchedOff"),
        });
      default:
        return unreachable(value);
    }
  },
});

export default function SecondFactor() {
  const { title, email, isProven, hasPassword, store, on, setUp } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const text = useText();
  const replyTo = (intent: string) =>
    reply?.result.initialValue?.intent === intent ? reply.result : undefined;
  const shown = { hasPassword, codeHint: text("twoStep.codeHint") };
  if (reply?.output != null)
    return <KeepCodes codes={reply.output.recoveryCodes} email={email} store={store} />;
  if (on !== null) {
    return (
      <section className="page narrow">
        <h1>{title}</h1>
        <p>{text("twoStep.isOn", { date: on.since })}</p>
        <p>{text("twoStep.codesLeft", { count: on.codesLeft })}</p>
        <p className="hint">{text("twoStep.newPhone")}</p>
        <h2>{text("twoStep.newCodesTitle")}</h2>
        <p>{text("twoStep.newCodesLead")}</p>
        <ShownForm intent="new-codes" lastResult={replyTo("new-codes")} {...shown}>
          <SubmitButton>{text("twoStep.newCodes")}</SubmitButton>
        </ShownForm>
        <h2>{text("twoStep.offTitle")}</h2>
        <p>{text("twoStep.offLead")}</p>
        <ShownForm intent="off" lastResult={replyTo("off")} {...shown}>
          <SubmitButton look="danger">{text("twoStep.off")}</SubmitButton>
        </ShownForm>
        <Back />
      </section>
    );
  }
  return (
    <section className="page narrow">
      <h1>{title}</h1>
      <p className="lead">{text("twoStep.lead")}</p>
      {!isProven && <ConfirmEmail email={email}>{text("twoStep.confirmEmail")}</ConfirmEmail>}
      {isProven && setUp === null && (
        <form method="post">
          <p>{text("twoStep.anyApp")}</p>
          <p className="actions">
            <SubmitButton name="intent" value="begin">
              {text("twoStep.begin")}
            </SubmitButton>
          </p>
        </form>
      )}
      {setUp !== null && (
        <>
          <p>{text("twoStep.scan")}</p>
          <QrImage code={setUp.qr} label={text("twoStep.qrLabel")} />
          <p>
            <Rich
              text={text("twoStep.orType", { key: setUp.key })}
              parts={{ key: (words) => <code>{words}</code> }}
            />
          </p>
          <p>{text("twoStep.thenConfirm")}</p>
          <ShownForm
            intent="confirm"
            lastResult={replyTo("confirm")}
            hasPassword={hasPassword}
            codeHint={text("twoStep.appCodeHint", { store })}
          >
            <SubmitButton>{text("twoStep.switchOn")}</SubmitButton>
          </ShownForm>
          <p className="hint">{text("twoStep.endsOthers")}</p>
          <form method="post">
            <SubmitButton look="quiet" name="intent" value="begin">
              {text("twoStep.anotherKey")}
            </SubmitButton>
          </form>
        </>
      )}
      <Back />
    </section>
  );
}

function Back() {
  const text = useText();
  return (
    <p>
      <a href={paths.account()}>{text("account.back")}</a>
    </p>
  );
}
