/** Orders that are paid by transfer: from the review to the account, and credits to it. */
import { type FormBrowser, HttpBrowser, hiddenFieldValue } from "./http-browser.ts";
import { type FirstStepOptions, type OrderPlace, pastAccount } from "./journey.ts";
import type { SandboxControls } from "./sandbox-controls.ts";

export interface OpenTransfer extends OrderPlace {
  browser: HttpBrowser;
  email: string;
  totalMinor: number;
}

/** Posts "Pay another way". */
export async function askForProforma(
  browser: FormBrowser,
  order: OrderPlace & { totalMinor: number },
  more: Record<string, string> = {},
): Promise<void> {
  const answer = await browser.post(`/orders/${order.id}/pay`, {
    intent: "place-order",
    terms: "on",
    total: String(order.totalMinor),
    agreement: "",
    ...more,
  });
  if (answer.location !== `/orders/${order.id}/proforma`)
    throw new Error(`Pay another way answered ${answer.status} ${answer.location}: ${answer.text}`);
}

/** Continues to the proforma: a bank account waits for the money. */
export async function toTransfer(
  origin: string,
  {
    browser = new HttpBrowser(origin),
    ...options
  }: FirstStepOptions & { browser?: HttpBrowser; account?: Record<string, string> } = {},
): Promise<OpenTransfer> {
  const order = await pastAccount(browser, options);
  return { ...order, totalMinor: await proformaFor(browser, order), browser };
}

/** Opens "Pay another way" and posts it. @returns the amount to transfer, in minor units */
export async function proformaFor(browser: FormBrowser, order: OrderPlace): Promise<number> {
  const page = await browser.get(`/orders/${order.id}/pay`);
  const totalMinor = Number(hiddenFieldValue(page.text, "total"));
  await askForProforma(browser, { ...order, totalMinor });
  return totalMinor;
}

/** The virtual accounts of an order at the provider, oldest first. */
export async function accountsOf(
  levers: SandboxControls,
  { id }: OrderPlace,
): Promise<{ id: string; number: string }[]> {
  const { razorpay } = await levers.state();
  return razorpay.virtualAccounts.filter(({ notes }) => notes.order_id === id);
}

/** The one account of an order. */
export async function accountOf(levers: SandboxControls, order: OrderPlace): Promise<string> {
  const [account, ...others] = await accountsOf(levers, order);
  if (account === undefined || others.length > 0) throw new Error(`Not one account for ${order.id}`);
  return account.id;
}
