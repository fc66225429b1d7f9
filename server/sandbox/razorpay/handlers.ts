/** Razorpay: its API, its checkout pages and checkout.js, under `/razorpay`. */
import type { HttpHandler } from "msw";
import type { Sandbox } from "../sandbox.ts";
import { razorpayApiHandlers } from "./api.ts";
import { razorpayCheckoutHandlers } from "./checkout.ts";

export function razorpayHandlers(sandbox: Sandbox): HttpHandler[] {
  return [...razorpayCheckoutHandlers(sandbox), ...razorpayApiHandlers(sandbox)];
}
