/** Razorpay: its API, its checkout pages and checkout.js, its payment links, under `/razorpay`, and the bank that pays into virtual accounts. */
import type { HttpHandler } from "msw";
import type { Sandbox } from "../sandbox.ts";
import { razorpayApiHandlers } from "./api.ts";
import { bankHandlers } from "./bank.ts";
import { razorpayCheckoutHandlers } from "./checkout.ts";
import { paymentLinkHandlers } from "./payment-links.ts";
import { virtualAccountHandlers } from "./virtual-accounts.ts";

export function razorpayHandlers(sandbox: Sandbox): HttpHandler[] {
  return [
    ...razorpayCheckoutHandlers(sandbox),
    ...razorpayApiHandlers(sandbox),
    ...paymentLinkHandlers(sandbox),
    ...virtualAccountHandlers(sandbox),
    ...bankHandlers(sandbox),
  ];
}
