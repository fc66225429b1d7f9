/** Step 2, Create Account: how the address is given, the account itself, and logging in when the email has one already. */
import { redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { type AddressId, parseId } from "#db/ids.ts";
import { listAddresses } from "#server/accounts/customers.ts";
import { logIn } from "#server/accounts/login.ts";
import { unreachable } from "#server/errors.ts";
import { fieldsOf, postAccount } from "#server/orders/account.ts";
import { claimDraft, keepDetails } from "#server/orders/draft.ts";
import type { Order } from "#server/orders/order.ts";
import { lookUpGstin } from "#server/tax/gst-lookup.ts";
import { statesOf } from "#server/tax/states.ts";
import { createAccountSchema } from "../../forms/schemas.ts";
import { formAction, type Page, pageLoader, setSession } from "../../http/page.ts";
import { askerOf, openStep, stepPath } from "../../journey/guard.ts";
import { orderParams } from "../../params.ts";
import type { Handle } from "../../ui/handle.ts";
import { AccountForm } from "./account-form.tsx";
import { AddressDialog } from "./address-dialog.tsx";
import { AccountExistsDialog, LoginDialog } from "./login-dialog.tsx";

export const handle: Handle = { hydrate: true };

const nothingTyped = {
  companyName: "",
  email: "",
  firstName: "",
  lastName: "",
  phoneNumber: "",
  addressLine1: "",
  addressLine2: "",
  city: "",
  state: "",
  pincode: "",
  organisationRegistrationNumber: "",
  gst_code: "",
};

async function savedAddresses(page: Page) {
  const customer = page.session?.customer ?? null;
  return customer === null ? [] : listAddresses(page.context.db, customer.id);
}

/** What the form shows: what was posted, else what was begun, over what the account tells. */
function answersOf(order: Order, page: Page, picked: Partial<Order["account"]> | null) {
  const { session } = page;
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
  const answers = { ...nothingTyped, ...known, ...order.account, ...order.details.typed, ...picked };
  return {
    ...answers,
    gst_code: answers.gst_code ?? "",
    phoneCode:
      order.account?.phoneCode ?? order.details.typed?.phoneCode ?? (order.country === "IN" ? "+91" : "+1"),
    country: order.country,
  };
}

export const loader = pageLoader(orderParams, async (page, params) => {
  const order = await openStep(page, params, "create-account");
  const saved = await savedAddresses(page);
  const picked = saved.find((address) => address.id === order.details.addressId) ?? null;
  const chosen = order.details.addressChoice ?? (order.account === null ? null : "manual");
  // Without a register to ask and without saved addresses there is nothing to choose.
  const offersChoice = order.country === "IN" || saved.length > 0;
  const asked = page.url.searchParams;
  const here = stepPath(order, "create-account");
  return {
    here,
    dialog:
      asked.get("account") === "exists"
        ? ("exists" as const)
        : asked.get("account") === "login"
          ? ("login" as const)
          : offersChoice && (chosen === null || asked.get("address") === "choose")
            ? ("address" as const)
            : null,
    offersChoice,
    answers: answersOf(order, page, picked === null ? null : fieldsOf(picked)),
    addressesToPick: saved.map((address) => ({
      id: address.id,
      label: `${address.addressLine1}, ${address.city}, ${address.state} ${address.pincode}`,
    })),
    readOnly: { company: page.session?.customer != null, address: picked !== null },
    states: statesOf(order.country).map((state) => state.name),
    signedInAs: page.session?.email ?? null,
  };
});

export const action = formAction({
  params: orderParams,
  schema: createAccountSchema,
  handler: async (page, params, value) => {
    const { context } = page;
    const { db, env } = context;
    const order = await openStep(page, params, "create-account");
    const here = stepPath(order, "create-account");
    const asker = askerOf(page);

    switch (value.intent) {
      case "choose-address": {
        const [choice, addressId] = value.choice.split(":");
        const details =
          choice === "saved"
            ? { addressChoice: "saved" as const, addressId: addressId ?? "" }
            : choice === "manual"
              ? { addressChoice: "manual" as const, addressId: "" }
              : await fromGst(page, order, value.gstin ?? "");
        await db.transaction().execute((trx) => keepDetails(trx, { orderId: order.id, details, asker }));
        return redirect(here, 303);
      }
      case "login": {
        const login = { email: value.loginEmail, password: value.loginPassword };
        const { token, user } = await logIn(db, env.SESSION_SECRET, login, page.clientAddress);
        await setSession(page, { token });
        const claiming = { ...asker, userId: user.userId, customer: user.customer };
        await db.transaction().execute((trx) => claimDraft(trx, { orderId: order.id, asker: claiming }));
        return redirect(here, 303);
      }
      case "account": {
        const { intent: _, ...answers } = value;
        const result = await postAccount(context, {
          orderId: order.id,
          asker,
          user: page.session,
          answers,
          addressId: parseId<AddressId>(order.details.addressId),
          clientAddress: page.clientAddress,
        });
        if (result.outcome === "exists") return redirect(`${here}?account=exists`, 303);
        if (result.session !== null) await setSession(page, result.session);
        return redirect(stepPath(order, "place-order"), 303);
      }
      default:
        return unreachable(value);
    }
  },
});

async function fromGst(page: Page, order: Order, gstin: string) {
  const { gstin: found, legalName, ...address } = await lookUpGstin(page.context, gstin, page.clientAddress);
  return {
    addressChoice: "gst" as const,
    addressId: "",
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
      <h1>Create Account</h1>
      {data.dialog === "address" && (
        <AddressDialog
          lastResult={replyTo("choose-address")}
          addresses={data.addressesToPick}
          withRegister={data.answers.country === "IN"}
        />
      )}
      {data.dialog === "exists" && <AccountExistsDialog here={data.here} email={data.answers.email} />}
      {data.dialog === "login" && (
        <LoginDialog here={data.here} email={data.answers.email} lastResult={replyTo("login")} />
      )}
      {data.dialog !== "address" && (
        <AccountForm
          // What was wrong before a dialog came is put right behind it.
          key={data.dialog ?? "form"}
          lastResult={replyTo("account")}
          answers={data.answers}
          readOnly={data.readOnly}
          states={data.states}
          changeAddress={data.offersChoice ? `${data.here}?address=choose` : null}
          signedInAs={data.signedInAs}
          logIn={`${data.here}?account=login`}
        />
      )}
    </>
  );
}
