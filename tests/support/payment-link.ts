/** Orders that are paid through a payment link: from the review to the open link. */
import { type FormBrowser, HttpBrowser, hiddenFieldValue } from "./http-browser.ts";
import { type FirstStepOptions, type OrderPlace, pastAccount } from "./journey.ts";
import type { SandboxControls } from "./sandbox-controls.ts";

export interface LinkedOrder extends OrderPlace {
  browser: HttpBrowser;
  email: string;
  totalMinor: number;
  linkId: string;
}

/** Opens "Pay another way", and posts "Send me a payment link". @returns the amount to pay, in minor units */
export async function askForLink(browser: FormBrowser, order: OrderPlace): Promise<number> {
  const page = await browser.get(`/orders/${order.id}/pay`);
  const total = hiddenFieldValue(page.text, "total");
  const answer = await browser.post(`/orders/${order.id}/pay`, {
    intent: "place-order",
    way: "link",
    terms: "on",
    total,
    agreement: "",
  });
  if (answer.location !== `/orders/${order.id}/pay`)
    throw new Error(`Pay another way answered ${answer.status} ${answer.location}: ${answer.text}`);
  return Number(total);
}

/** The links of an order at the provider, oldest first. */
export async function linksOf(levers: SandboxControls, { id }: OrderPlace) {
  const { razorpay } = await levers.state();
  return razorpay.paymentLinks.filter(({ notes }) => notes.order_id === id);
}

/** The one link of an order. */
export async function linkOf(levers: SandboxControls, order: OrderPlace): Promise<string> {
  const [link, ...others] = await linksOf(levers, order);
  if (link === undefined || others.length > 0) throw new Error(`Not one link for ${order.id}`);
  return link.id;
}

/** Continues to the payment link. */
export async function toLink(
  origin: string,
  levers: SandboxControls,
  { browser = new HttpBrowser(origin), ...options }: FirstStepOptions & { browser?: HttpBrowser } = {},
): Promise<LinkedOrder> {
  const order = await pastAccount(browser, options);
  const totalMinor = await askForLink(browser, order);
  return { ...order, browser, totalMinor, linkId: await linkOf(levers, order) };
}
