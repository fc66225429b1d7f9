/**
 * Razorpay's checkout, which is also the product's payment-methods popup: every method with the order's real amount, and Pay,
 * Decline and Cancel. It opens in two ways: by the hosted form post `/razorpay/v1/checkout/embedded`, which needs no script, and
 * in the frame of checkout.js. Pay and Decline answer with a small form that posts to the store, so that the buyer's browser
 * carries the result cross-site, as with the real provider; a script submits it at once, otherwise its button does.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type HttpHandler, HttpResponse, http } from "msw";
import { html, type Markup, page, scriptJson } from "../html.ts";
import { anyOrigin, readForm } from "../http-helpers.ts";
import type { Sandbox } from "../sandbox.ts";
import type { RazorpayOrder, RazorpayPayment } from "../state-schemas.ts";
import { accountOfKey } from "./accounts.ts";
import {
  aboveCeiling,
  declinedPayment,
  isAboveCeiling,
  methods,
  pay,
  paymentsOf,
  signatureOf,
} from "./ledger.ts";

const base = "/razorpay/v1/checkout";

const methodNames = [
  { id: "upi_qr", method: "upi", name: "UPI QR" },
  { id: "card", method: "card", name: "Card" },
  { id: "upi", method: "upi", name: "UPI" },
  { id: "netbanking", method: "netbanking", name: "Netbanking" },
  { id: "wallet", method: "wallet", name: "Wallet" },
  { id: "paylater", method: "paylater", name: "Pay later" },
] as const;

const notOffered = "This payment method is not offered for this order.";

type Fields = ReadonlyMap<string, string>;

/** Fields that the page keeps from its opening to the Pay button. */
const carried = [
  "key_id",
  "order_id",
  "amount",
  "currency",
  "name",
  "description",
  "method",
  "prefill[email]",
  "prefill[contact]",
  "callback_url",
  "cancel_url",
  "frame_origin",
] as const;

export function razorpayCheckoutHandlers(sandbox: Sandbox): HttpHandler[] {
  // Resolved by name, which also works from the build.
  const { resolve } = createRequire(import.meta.url);
  const script = readFileSync(resolve("#sandbox/vendors/razorpay/checkout-script.js"), "utf8");

  return [
    http.get(anyOrigin("/razorpay/v1/checkout.js"), () =>
      HttpResponse.text(script, { headers: { "content-type": "text/javascript; charset=utf-8" } }),
    ),
    // Scripts that the real checkout.js needs from separate hosts.
    http.get(anyOrigin("/razorpay/cdn/risk-detection.js"), () =>
      HttpResponse.text("window.razorpayRiskDetection = true;\n", {
        headers: { "content-type": "text/javascript; charset=utf-8" },
      }),
    ),
    http.post(anyOrigin("/razorpay/lumberjack/track"), () => new HttpResponse(null, { status: 204 })),
    http.post(anyOrigin(`${base}/embedded`), async ({ request }) => open(sandbox, await readForm(request))),
    http.get(anyOrigin(`${base}/frame`), ({ request }) =>
      open(sandbox, new Map(new URL(request.url).searchParams)),
    ),
    http.get(anyOrigin(`${base}/cancelled`), ({ request }) =>
      toFrame(
        new URL(request.url).searchParams.get("frame_origin") ?? "",
        { type: "dismissed" },
        "Payment cancelled.",
      ),
    ),
    http.post(anyOrigin(`${base}/pay`), async ({ request }) => submit(sandbox, await readForm(request))),
  ];
}

function open(sandbox: Sandbox, fields: Fields) {
  const checked = check(sandbox, fields);
  if ("problem" in checked) return problemPage(checked.problem, fields);
  if (payable(checked.order, fields).length === 0) return problemPage(aboveCeiling, fields);
  if (checked.order.status === "paid") return problemPage("This order has already been paid.", fields);
  return HttpResponse.html(checkoutPage(checked.order, fields));
}

async function submit(sandbox: Sandbox, fields: Fields) {
  const checked = check(sandbox, fields);
  if ("problem" in checked) return problemPage(checked.problem, fields);
  const { order } = checked;
  // A second click on Pay finds the first one's payment instead of charging again.
  const paid = paymentsOf(sandbox, order.id).find(
    ({ status }) => status === "captured" || status === "authorized",
  );
  if (paid !== undefined) return succeeded(sandbox, paid, fields);

  const decline = fields.get("action") === "decline";
  const chosen = methodNames.find(({ id }) => id === fields.get("chosen"))?.method ?? "card";
  const allowed = payable(order, fields);
  if (allowed.length === 0) return problemPage(aboveCeiling, fields);
  const [first] = allowed;
  const method = fields.has("chosen") ? allowed.find((each) => each === chosen) : first;
  if (method === undefined)
    return problemPage(isAboveCeiling(chosen, order) ? aboveCeiling : notOffered, fields);
  const payment = pay(sandbox, order, {
    status: decline ? "failed" : order.capture === "manual" ? "authorized" : "captured",
    method,
    email: fields.get("prefill[email]"),
    contact: fields.get("prefill[contact]"),
  });
  await sandbox.save();
  return decline ? failed(payment, fields) : succeeded(sandbox, payment, fields);
}

function check(sandbox: Sandbox, fields: Fields): { order: RazorpayOrder } | { problem: string } {
  const account = accountOfKey(sandbox, fields.get("key_id"));
  if (account === undefined) return { problem: "The key_id is not known." };
  const order = sandbox.state.razorpay.orders[fields.get("order_id") ?? ""];
  if (order?.account !== account.country) return { problem: "The order_id is not known." };
  const amount = fields.get("amount");
  if (amount !== undefined && Number(amount) !== order.amount) {
    return { problem: `The amount ${amount} differs from the order's ${order.amount}.` };
  }
  const currency = fields.get("currency");
  if (currency !== undefined && currency !== order.currency) {
    return { problem: `The currency ${currency} differs from the order's ${order.currency}.` };
  }
  if (!fields.has("frame_origin") && !isWebAddress(fields.get("callback_url"))) {
    return { problem: "The callback_url is missing or no web address." };
  }
  const cancel = fields.get("cancel_url");
  if (cancel !== undefined && !isWebAddress(cancel)) return { problem: "The cancel_url is no web address." };
  return { order };
}

function succeeded(sandbox: Sandbox, payment: RazorpayPayment, fields: Fields) {
  const result = {
    razorpay_payment_id: payment.id,
    razorpay_order_id: payment.order_id ?? "",
    razorpay_signature: signatureOf(sandbox, payment),
  };
  const frameOrigin = fields.get("frame_origin");
  if (frameOrigin !== undefined) return toFrame(frameOrigin, { type: "paid", result }, "Payment successful.");
  return toCallback(fields, "Payment successful", result);
}

function failed(payment: RazorpayPayment, fields: Fields) {
  const metadata = { payment_id: payment.id, order_id: payment.order_id };
  const frameOrigin = fields.get("frame_origin");
  if (frameOrigin !== undefined) {
    const again = new URLSearchParams(carried.flatMap((name) => pair(name, fields.get(name))));
    const message = { type: "failed", error: { ...declinedPayment, metadata } };
    return toFrame(frameOrigin, message, declinedPayment.description, `${base}/frame?${again}`);
  }
  const named = Object.entries({ ...declinedPayment, metadata: JSON.stringify(metadata) });
  return toCallback(
    fields,
    "Payment declined",
    Object.fromEntries(named.map(([name, value]) => [`error[${name}]`, value])),
  );
}

function pair(name: string, value: string | undefined): [string, string][] {
  return value === undefined ? [] : [[name, value]];
}

function hidden(name: string, value: string): Markup {
  return html`<input type="hidden" name="${name}" value="${value}">\n`;
}

function checkoutPage(order: RazorpayOrder, fields: Fields): string {
  const allowed = payable(order, fields);
  const framed = fields.has("frame_origin");
  const cancel = framed
    ? `${base}/cancelled?${new URLSearchParams(pair("frame_origin", fields.get("frame_origin")))}`
    : (fields.get("cancel_url") ?? fields.get("callback_url") ?? "/");
  const requested = (["prefill[email]", "prefill[contact]"] as const).filter(
    (name) => (fields.get(name) ?? "") === "",
  );
  const choices = methodNames.map(
    ({ id, method, name }) => html`<label class="choice">
<input type="radio" name="chosen" value="${id}"${method === allowed[0] && id === method ? html` checked` : undefined}${
      allowed.includes(method) ? undefined : html` disabled`
    }> ${name}</label>\n`,
  );
  const description = fields.get("description");
  return page({
    title: "Payment (sandbox)",
    body: html`<h1>${fields.get("name") ?? "Payment"}</h1>
<p class="note">Sandbox checkout: no money moves.${description === undefined ? undefined : html` ${description}`}</p>
<p class="amount">${formatAmount(order.amount, order.currency)}</p>
<form method="post" action="${base}/pay">
${carried.filter((name) => !requested.some((each) => each === name)).flatMap((name) => pair(name, fields.get(name)).map((each) => hidden(...each)))}
<fieldset><legend>Payment methods</legend>
${choices}</fieldset>
${requested.map(
  (name) => html`<label class="field">${name === "prefill[email]" ? "Email" : "Phone"}
<input name="${name}" type="${name === "prefill[email]" ? "email" : "tel"}" required></label>\n`,
)}
<div class="buttons">
<button class="button main" name="action" value="pay">Pay</button>
<button class="button" name="action" value="decline" formnovalidate>Decline</button>
<a class="button" href="${cancel}">Cancel</a>
</div>
</form>
${framed ? tellPage(fields.get("frame_origin") ?? "", { type: "ready" }) : undefined}`,
  });
}

/** `method=card` in the opening form shows the other methods but enables only the named ones, separated by commas. */
function allowedMethods(fields: Fields): readonly string[] {
  const requested = fields.get("method")?.split(",");
  return requested === undefined ? methods : methods.filter((method) => requested.includes(method));
}

/** The allowed methods whose limit is not below the order's amount. */
function payable(order: RazorpayOrder, fields: Fields): readonly string[] {
  return allowedMethods(fields).filter((method) => !isAboveCeiling(method, order));
}

export function formatAmount(minor: number, currency: string): string {
  const locale = currency === "INR" ? "en-IN" : "en-US";
  return new Intl.NumberFormat(locale, { style: "currency", currency }).format(minor / 100);
}

/** The cross-site post back: a form with a button, submitted at once where scripts run. */
function toCallback(fields: Fields, title: string, values: Record<string, string>) {
  return HttpResponse.html(
    page({
      title,
      body: html`<h1>${title}</h1>
<p>You are being taken back to the store.</p>
<form id="return" method="post" action="${fields.get("callback_url") ?? ""}">
${Object.entries(values).map(([name, value]) => hidden(name, value))}
<div class="buttons"><button class="button main">Return to store</button></div>
</form>
<script>document.getElementById("return").submit()</script>`,
    }),
  );
}

/** Posts the result from checkout.js's frame to the page around it, only at the origin that opened it. */
function toFrame(frameOrigin: string, message: object, text: string, again?: string) {
  return HttpResponse.html(
    page({
      title: text,
      body: html`<h1 role="status">${text}</h1>
${again === undefined ? undefined : html`<div class="buttons"><a class="button main" href="${again}">Try again</a></div>`}
${tellPage(frameOrigin, message)}`,
    }),
  );
}

function tellPage(frameOrigin: string, message: object): Markup {
  return html`<script>parent.postMessage(${scriptJson({ from: "razorpay-sandbox", ...message })}, ${scriptJson(frameOrigin)})</script>`;
}

function problemPage(problem: string, fields: Fields) {
  const cancel = fields.get("cancel_url");
  return HttpResponse.html(
    page({
      title: "Payment not possible",
      body: html`<h1>Payment not possible</h1>
<p class="failed">${problem}</p>
${isWebAddress(cancel) ? html`<p><a href="${cancel}">Return to store</a></p>` : undefined}`,
    }),
    { status: 400 },
  );
}

function isWebAddress(text: string | undefined): text is string {
  return text !== undefined && URL.canParse(text) && ["http:", "https:"].includes(new URL(text).protocol);
}
