/**
 * Step 2, Create Account: the source of the address, the account itself, and logging in when the email already has an
 * account.
 */

import { redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { type AddressId, parseId } from "#db/ids.ts";
import type { Order } from "#db/orders/order.ts";
import { lookUpGstin } from "#server/accounts/gst-lookup.ts";
import { beginLogin } from "#server/accounts/login.ts";
import { assertNever } from "#server/foundation/errors.ts";
import { type MessageDescriptor, msg } from "#server/foundation/languages/text.ts";
import { type AccountInput, claimOrder, submitAccount } from "#server/orders/account.ts";
import { chosenAddress } from "#server/orders/buyer-check.ts";
import { savePartialAnswers } from "#server/orders/draft.ts";
import { stepPath } from "#server/orders/order-path.ts";
import { createAccountSchema } from "../../forms/account-schema.ts";
import { askForCode } from "../../http/finish-sign-in.ts";
import { formAction, pageLoader } from "../../http/page.ts";
import { rateLimits } from "../../http/rate-limits.ts";
import { type RequestContext, setSession } from "../../http/request-context.ts";
import { orderParams } from "../../params.ts";
import type { Handle } from "../../ui/handle.ts";
import { StepHeading } from "../frame.tsx";
import { openStep, requesterOf } from "../guard.ts";
import { AccountForm } from "./account-form.tsx";
import { AddressDialog } from "./address-dialog.tsx";
import { AccountExistsDialog, LoginDialog } from "./login-dialog.tsx";
import { SuggestionDialog } from "./suggestion-dialog.tsx";
import { createAccountView } from "./view.ts";

export const handle: Handle = { hydrate: true };

export { shouldRevalidate } from "../stale-page.ts";

export const loader = pageLoader(orderParams, async (request, params) =>
  createAccountView(request, await openStep(request, params, "create-account")),
);

const broken = msg("createAccount.failed", { error: msg("steps.ourFault") });

export const action = formAction({
  params: orderParams,
  limit: rateLimits.beginOrder,
  schema: createAccountSchema,
  // The register's look-up has its own messages for failures.
  faultMessage: new Map<string, MessageDescriptor>([
    ["account", broken],
    ["use-address", broken],
    ["login", msg("createAccount.loginFailed")],
  ]),
  handler: async (request, params, value) => {
    const { context } = request;
    const { db, env } = context;
    const order = await openStep(request, params, "create-account");
    const here = stepPath(order, "create-account");
    const requester = requesterOf(request);

    switch (value.intent) {
      case "choose-address": {
        const [choice, addressId] = value.choice.split(":");
        const details =
          choice === "saved"
            ? { addressChoice: "saved" as const, addressId: addressId ?? "" }
            : choice === "manual"
              ? { addressChoice: "manual" as const, addressId: "" }
              : await fromGst(request, order, value.gstin ?? "");
        await db
          .transaction()
          .execute((trx) => savePartialAnswers(trx, { orderId: order.id, details, requester }));
        return redirect(here, 303);
      }
      case "login": {
        const login = { email: value.loginEmail, password: value.loginPassword };
        const entered = await beginLogin(db, env.SESSION_SECRETS, login, request.clientAddress);
        // The draft still belongs to the browser, and opens to the account once the code was entered.
        if (entered.outcome === "code-needed") return askForCode(request, entered.key, here);
        const { token, user } = entered;
        await db
          .transaction()
          .execute((trx) => claimOrder(trx, env.sellers, { orderId: order.id, before: requester, user }));
        await setSession(request, { ...user, token });
        return redirect(here, 303);
      }
      case "account": {
        const { intent: _, ...answers } = value;
        const addressId = parseId<AddressId>(order.details.addressId);
        return saveAnswers(request, order, { answers, addressId, keepAddress: false });
      }
      case "use-address": {
        const chosen = chosenAddress(order, value.place === "typed" ? null : Number(value.place));
        if (chosen === null) return redirect(here, 303);
        return saveAnswers(request, order, { ...chosen, keepAddress: true });
      }
      default:
        return assertNever(value);
    }
  },
});

async function saveAnswers(
  request: RequestContext,
  order: Order,
  given: Pick<AccountInput, "answers" | "addressId" | "keepAddress">,
): Promise<Response> {
  const here = stepPath(order, "create-account");
  const result = await submitAccount(request.context, {
    ...given,
    orderId: order.id,
    requester: requesterOf(request),
    user: request.session,
    clientAddress: request.clientAddress,
  });
  if (result.outcome === "exists") return redirect(`${here}?account=exists`, 303);
  if (result.outcome === "suggestions") return redirect(`${here}?address=check`, 303);
  if (result.session !== null) await setSession(request, result.session);
  return redirect(stepPath(order, "place-order"), 303);
}

async function fromGst(request: RequestContext, order: Order, gstin: string) {
  const {
    gstin: found,
    legalName,
    ...address
  } = await lookUpGstin(request.context, gstin, request.clientAddress);
  return {
    addressChoice: "gst" as const,
    addressId: "",
    suggestions: [],
    typed: {
      ...order.details.typed,
      ...address,
      companyName: legalName,
      organisationRegistrationNumber: found,
      gst_code: found,
    },
  };
}

export default function CreateAccount() {
  const data = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>()?.result;
  const replyTo = (intent: string) => (result?.initialValue?.intent === intent ? result : undefined);
  return (
    <>
      <StepHeading>{data.title}</StepHeading>
      {data.dialog === "address" && (
        <AddressDialog lastResult={replyTo("choose-address")} choices={data.choices} chosen={data.chosen} />
      )}
      {data.dialog === "suggestion" && <SuggestionDialog leave={data.here} places={data.places} />}
      {data.dialog === "exists" && (
        <AccountExistsDialog
          here={data.here}
          email={data.answers.email}
          another={`${data.here}#account-email`}
        />
      )}
      {data.dialog === "login" && (
        <LoginDialog
          here={data.here}
          email={data.answers.email}
          lastResult={replyTo("login")}
          unsentMessage={data.loginFailed}
        />
      )}
      {data.dialog !== "address" && (
        <AccountForm
          // A new key drops the errors from before the dialog, which the dialog has resolved.
          key={data.dialog ?? "form"}
          lastResult={replyTo("account")}
          answers={data.answers}
          readOnly={data.readOnly}
          found={data.found}
          states={data.states}
          place={data.place}
          changeAddress={data.offersChoice ? `${data.here}?address=choose` : null}
          signedInAs={data.signedInAs}
          ownAccount={data.ownAccount}
          companyUrl={data.companyUrl}
          logIn={`${data.here}?account=login`}
        />
      )}
    </>
  );
}
