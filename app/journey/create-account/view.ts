/** View model of Create Account: the sources of the address, and the form's initial values. */

import type { AccountAnswers, Order, PlaceOfBusiness } from "#db/orders/order.ts";
import { listAddresses } from "#server/accounts/customers.ts";
import { findTradeName, gstinWarning } from "#server/accounts/gst-lookup.ts";
import { countries, findState } from "#server/foundation/countries/registry.ts";
import type { Translate } from "#server/foundation/languages/messages.ts";
import { translate } from "#server/foundation/languages/text.ts";
import * as paths from "#server/foundation/paths.ts";
import { answersFromAddress, emptyAccountAnswers } from "#server/orders/account-answers.ts";
import { addressChoice } from "#server/orders/buyer-check.ts";
import { stepPath } from "#server/orders/order-path.ts";
import { findProvisionalAccount } from "#server/orders/provisional-account.ts";
import { addressRulesOf, ticksOf } from "../../forms/address-rules.ts";
import type { ChoiceLabels } from "../../forms/choice.tsx";
import type { RequestContext } from "../../http/request-context.ts";
import { registerChoice } from "./address-dialog.tsx";

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
  // A customer's company name cannot be changed here, regardless of earlier input.
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

/** Sources of a business address. Only GST numbers have a register that can be queried. */
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

/** The choices, and the preselected one: the previous choice, else a saved address, else the first. */
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

/** The register's answer, until the form has been posted: from then on every field is open for corrections. */
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
  // A missing part has to be typed.
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

/** A saved address as lines, for a card in place of its fields, which cannot be changed here. */
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

type Dialog = "exists" | "login" | "suggestion" | "address";

function dialogOf(
  query: URLSearchParams,
  { hasPlaces, hasChoice, wasChosen }: { hasPlaces: boolean; hasChoice: boolean; wasChosen: boolean },
): Dialog | null {
  const [account, address] = [query.get("account"), query.get("address")];
  if (account === "exists" || account === "login") return account;
  if (address === "check" && hasPlaces) return "suggestion";
  return hasChoice && (!wasChosen || address === "choose") ? "address" : null;
}

/** Reads what the page shows of the order, the signed-in account and the company's saved addresses. */
export async function createAccountView(request: RequestContext, order: Order) {
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
  const here = stepPath(order, "create-account");
  const places = placesToChoose(order, request.text);
  const answers = answersOf(order, request, {
    picked: picked === null ? null : answersFromAddress(picked),
    company,
  });
  return {
    title: request.text("steps.createAccount"),
    here,
    dialog: dialogOf(request.url.searchParams, {
      hasPlaces: places.length > 0,
      hasChoice: offersChoice,
      wasChosen: chosen !== null,
    }),
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
}
