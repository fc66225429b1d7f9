/**
 * Step 2, Create Account: the source of the address, the account itself, and logging in when the email already has an
 * account.
 */

import { redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { type AddressId, parseId } from "#db/ids.ts";
import type { AccountAnswers, Order, PlaceOfBusiness } from "#db/orders/order.ts";
import { listAddresses } from "#server/accounts/customers.ts";
import { findTradeName, gstinWarning, lookUpGstin } from "#server/accounts/gst-lookup.ts";
import { beginLogin } from "#server/accounts/login.ts";
import { countries, findState } from "#server/foundation/countries/registry.ts";
import { assertNever } from "#server/foundation/errors.ts";
import type { Translate } from "#server/foundation/languages/messages.ts";
import { type MessageDescriptor, msg, translate } from "#server/foundation/languages/text.ts";
import * as paths from "#server/foundation/paths.ts";
import { type AccountInput, claimOrder, submitAccount } from "#server/orders/account.ts";
import { answersFromAddress, emptyAccountAnswers } from "#server/orders/account-answers.ts";
import { addressChoice, chosenAddress } from "#server/orders/buyer-check.ts";
import { savePartialAnswers } from "#server/orders/draft.ts";
import { stepPath } from "#server/orders/order-path.ts";
import { findProvisionalAccount } from "#server/orders/provisional-account.ts";
import { createAccountSchema } from "../../forms/account-schema.ts";
import { addressRulesOf, ticksOf } from "../../forms/address-rules.ts";
import type { ChoiceLabels } from "../../forms/choice.tsx";
import { askForCode } from "../../http/finish-sign-in.ts";
import { formAction, pageLoader } from "../../http/page.ts";
import { rateLimits } from "../../http/rate-limits.ts";
import { type RequestContext, setSession } from "../../http/request-context.ts";
import { orderParams } from "../../params.ts";
import type { Handle } from "../../ui/handle.ts";
import { StepHeading } from "../frame.tsx";
import { openStep, requesterOf } from "../guard.ts";
import { AccountForm } from "./account-form.tsx";
import { AddressDialog, registerChoice } from "./address-dialog.tsx";
import { AccountExistsDialog, LoginDialog } from "./login-dialog.tsx";
import { SuggestionDialog } from "./suggestion-dialog.tsx";

export const handle: Handle = { hydrate: true };

export { shouldRevalidate } from "../stale-page.ts";

async function savedAddresses(request: RequestContext) {
  const customer = request.session?.customer ?? null;
  return customer === null ? [] : listAddresses(request.context.db, customer.id);
}

/** The form's values: what was picked, typed or saved so far, over the signed-in account's data. */
function answersOf(
  order: Order,
  request: RequestContext,
  { picked, company }: { picked: Partial<Order["account"]> | null; company: string | null },
) {
  const { session } = request;
  const known =
    session === null
      ? {}
      : {
          companyName: session.customer?.name ?? "",
          email: session.email,
          firstName: session.firstName,
          lastName: session.lastName,
          phoneNumber: session.phone,
        };
  const answers: typeof emptyAccountAnswers & Partial<AccountAnswers> = {
    ...emptyAccountAnswers,
    ...known,
    ...order.account,
    ...order.details.typed,
    ...picked,
  };
  // A customer's company name cannot be changed here, whatever was typed before.
  if (company !== null) answers.companyName = company;
  return {
    ...answers,
    ...ticksOf(answers),
    gst_code: answers.gst_code ?? "",
    // The state's name as in the select's options, however it was written.
    state: findState(order.country, answers.state)?.name ?? "",
    phoneCode: answers.phoneCode ?? countries[order.country].phone.code,
    country: order.country,
  };
}

/** The vendor's suggestions for the typed address, and last that address itself; empty when there are none. */
function placesToChoose(order: Order, text: Translate): ChoiceLabels[] {
  const choice = addressChoice(order);
  if (choice === null) return [];
  const suggested = choice.suggestions.map((place, index) => ({
    value: String(index),
    title: text("createAccount.suggested"),
    hint: inOneLine(place),
  }));
  return [
    ...suggested,
    { value: "typed", title: text("createAccount.asTyped"), hint: inOneLine(choice.typed) },
  ];
}

function inOneLine({ addressLine1, addressLine2, city, state, pincode }: PlaceOfBusiness): string {
  return [addressLine1, addressLine2, city, `${state} ${pincode}`].filter((part) => part !== "").join(", ");
}

/** Where a business address can come from. Only GST numbers have a register that can be asked. */
function choicesOf(
  saved: Awaited<ReturnType<typeof listAddresses>>,
  withRegister: boolean,
  text: Translate,
): ChoiceLabels[] {
  const bySaved = saved.map((address) => ({
    value: `saved:${address.id}`,
    title: text("createAccount.savedAddress"),
    hint: `${address.addressLine1}, ${address.city}, ${address.state} ${address.pincode}`,
  }));
  const byHand = { value: "manual", title: text("createAccount.byHand") };
  if (!withRegister) return [...bySaved, { ...byHand, hint: text("createAccount.byHandHint") }];
  return [
    {
      value: registerChoice,
      title: text("createAccount.byGst"),
      hint: text("createAccount.byGstHint"),
    },
    ...bySaved,
    { ...byHand, hint: text("createAccount.byHandPanHint") },
  ];
}

/** The choices, and the one at arrival: what was chosen before, else an address that is saved, else the first. */
function addressChoices(
  { details }: Order,
  saved: Awaited<ReturnType<typeof listAddresses>>,
  withRegister: boolean,
  text: Translate,
): { choices: ChoiceLabels[]; chosen: string } {
  const choices = choicesOf(saved, withRegister, text);
  const before = details.addressChoice === "saved" ? `saved:${details.addressId}` : details.addressChoice;
  const chosen =
    choices.find(({ value }) => value === before) ??
    choices.find(({ value }) => value.startsWith("saved:")) ??
    choices[0];
  return { choices, chosen: chosen?.value ?? "" };
}

/** What the register answered, until the form has been posted: from then on every field stands open to be corrected. */
async function foundBy(
  { context: { db }, text }: RequestContext,
  { account, details }: Order,
): Promise<string[] | null> {
  const { addressChoice, typed } = details;
  if (account !== null || addressChoice !== "gst" || typed === undefined) return null;
  const {
    companyName = "",
    addressLine1 = "",
    addressLine2 = "",
    city = "",
    state = "",
    pincode = "",
  } = typed;
  const answers = [companyName, addressLine1, addressLine2, city, state, pincode];
  // What is missing has to be typed.
  if (answers.includes("")) return null;
  const gstin = typed.gst_code ?? "";
  const tradeName = await findTradeName(db, gstin);
  return [
    companyName,
    ...(tradeName === null ? [] : [text("createAccount.tradingAs", { name: tradeName })]),
    addressLine1,
    addressLine2,
    city,
    `${state} ${pincode}`,
    `GSTIN ${gstin}`,
  ];
}

/** A saved address, for a card in place of its fields, which are not changed here. */
function linesOf(answers: ReturnType<typeof answersOf>): string[] {
  const { addressLine1, addressLine2, city, state, pincode, firstName, lastName } = answers;
  return [
    answers.companyName,
    addressLine1,
    addressLine2,
    city,
    `${state} ${pincode}`,
    answers.gst_code || answers.organisationRegistrationNumber,
    `${firstName} ${lastName}`.trim(),
    answers.email,
  ].filter((line) => line !== "");
}

export const loader = pageLoader(orderParams, async (request, params) => {
  const order = await openStep(request, params, "create-account");
  const saved = await savedAddresses(request);
  const picked = saved.find((address) => address.id === order.details.addressId) ?? null;
  const made = await findProvisionalAccount(request.context.db, order);
  const customer = request.session?.customer ?? null;
  const company = customer === null || customer.id === made.customerId ? null : customer.name;
  const chosen = order.details.addressChoice ?? (order.account === null ? null : "manual");
  // Without a register and without saved addresses there is nothing to choose.
  const { place, states } = addressRulesOf(order.country, request.language);
  const doubts =
    order.account === null || order.account.gst_code === null
      ? null
      : await gstinWarning(request.context.db, { ...order.account, gstin: order.account.gst_code });
  const registrationHint = doubts === null ? place.registrationHint : translate(request.language, doubts);
  const offersChoice = place.isGst || saved.length > 0;
  const query = request.url.searchParams;
  const here = stepPath(order, "create-account");
  const places = placesToChoose(order, request.text);
  const answers = answersOf(order, request, {
    picked: picked === null ? null : answersFromAddress(picked),
    company,
  });
  return {
    title: request.text("steps.createAccount"),
    here,
    dialog:
      query.get("account") === "exists"
        ? ("exists" as const)
        : query.get("account") === "login"
          ? ("login" as const)
          : query.get("address") === "check" && places.length > 0
            ? ("suggestion" as const)
            : offersChoice && (chosen === null || query.get("address") === "choose")
              ? ("address" as const)
              : null,
    offersChoice,
    places,
    answers,
    ...addressChoices(order, saved, place.isGst, request.text),
    readOnly: { company: company !== null, address: picked !== null },
    found: picked === null ? await foundBy(request, order) : linesOf(answers),
    companyUrl: paths.company(),
    states,
    place: { ...place, registrationHint },
    signedInAs: request.session?.email ?? null,
    ownAccount: made.userId !== null,
    loginFailed: request.text("access.loginFailed"),
  };
});

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
        // The draft is still the browser's, and opens to the account once the code was given.
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
