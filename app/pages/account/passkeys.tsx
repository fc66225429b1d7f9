/** `/account/passkeys`: adds passkeys, with its own script, and removes them, without one. */
import { useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { ownAddress, safeReturnPath } from "#app/http/return-path.ts";
import { addPasskey, listPasskeys, removePasskey } from "#server/accounts/passkeys.ts";
import { readSecondFactor } from "#server/accounts/second-factor.ts";
import { findUser } from "#server/accounts/users.ts";
import { brand } from "#server/foundation/brand.ts";
import { standardCountry } from "#server/foundation/countries/registry.ts";
import * as paths from "#server/foundation/paths.ts";
import { dateView } from "#server/orders/subscriptions/dates.ts";
import passkeyScript from "../../enhance/passkeys.ts?worker&url";
import { passkeysSchema } from "../../forms/account-schemas.ts";
import { formAction, pageLoader } from "../../http/page.ts";
import { redirectWith, requireOwnAccount } from "../../http/request-context.ts";
import type { Handle } from "../../ui/handle.ts";
import { noindexMeta } from "../../ui/head.ts";
import { useTranslate } from "../../ui/text.tsx";
import { AddPasskey } from "./add-passkey.tsx";
import { ConfirmEmail } from "./confirm-email.tsx";
import { MailedCode } from "./mailed-code.tsx";
import { PasskeyRow } from "./passkey-row.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";

export const meta = noindexMeta<{ title: string }>((data) => data?.title ?? "");

export const handle: Handle = { pageStyles: true };

export const loader = pageLoader(z.unknown(), async (request) => {
  const session = requireOwnAccount(request);
  const { db } = request.context;
  const user = await findUser(db, session.userId);
  const factor = await readSecondFactor(db, session.userId);
  const country = session.customer?.country ?? standardCountry;
  const next = safeReturnPath(request.url.searchParams.get("next"));
  return {
    title: request.text("passkeys.title"),
    email: session.email,
    store: brand.name,
    next: next === paths.home() ? paths.account() : next,
    isProven: user?.emailVerifiedAt != null,
    proof: user?.hasPassword === true ? ("password" as const) : ("mailed-code" as const),
    codes: factor === null ? null : factor.appSince === null ? ("recovery" as const) : ("app" as const),
    passkeys: (await listPasskeys(db, session.userId)).map(({ id, name, createdAt, lastUsedAt }) => ({
      id,
      name,
      added: dateView(createdAt, country, request.language),
      lastUsed: lastUsedAt && dateView(lastUsedAt, country, request.language),
    })),
  };
});

export const action = formAction({
  params: z.unknown(),
  schema: passkeysSchema,
  handler: async (request, _params, value) => {
    const { context, text, url } = request;
    const session = requireOwnAccount(request);
    const done = (message: string) => redirectWith(request, ownAddress(url), { type: "success", message });
    if (value.intent === "remove") {
      const name = await removePasskey(context, session, value);
      return done(name === null ? text("passkeys.goneAlready") : text("passkeys.removed", { name }));
    }
    const recoveryCodes = await addPasskey(context, session, value);
    if (recoveryCodes === null) return done(text("passkeys.addedNow", { name: value.name }));
    return { output: { recoveryCodes } };
  },
});

export default function Passkeys() {
  const { title, email, store, next, isProven, proof, codes, passkeys } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const text = useTranslate();
  if (reply?.output != null)
    return <RecoveryCodes codes={reply.output.recoveryCodes} email={email} store={store} next={next} />;
  const result = reply?.result;
  const shown = { proof, codes };
  return (
    <section className="page narrow">
      <h1>{title}</h1>
      <p className="lead">{text("passkeys.lead")}</p>
      {isProven && proof === "mailed-code" && <MailedCode email={email} next={paths.passkeys(next)} />}
      {passkeys.length === 0 ? (
        <p>{text("passkeys.none")}</p>
      ) : (
        <ul className="cards" aria-label={text("passkeys.list")}>
          {passkeys.map((passkey) => (
            <PasskeyRow
              key={passkey.id}
              passkey={passkey}
              lastResult={
                result?.initialValue?.intent === "remove" && result.initialValue.id === passkey.id
                  ? result
                  : undefined
              }
              {...shown}
            />
          ))}
        </ul>
      )}
      <h2>{text("passkeys.addTitle")}</h2>
      {isProven ? (
        <AddPasskey lastResult={result?.initialValue?.intent === "add" ? result : undefined} {...shown} />
      ) : (
        <ConfirmEmail email={email}>{text("twoStep.confirmEmail")}</ConfirmEmail>
      )}
      <p>
        <a href={paths.account()}>{text("account.back")}</a>
      </p>
      <script type="module" src={passkeyScript} />
    </section>
  );
}
