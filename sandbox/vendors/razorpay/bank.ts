/** The buyer's bank, at `/bank`: every open virtual account, and a form that transfers money to one. No provider has it. */
import { type HttpHandler, HttpResponse, http } from "msw";
import { html, page } from "../html.ts";
import { anyOrigin, readForm } from "../http-helpers.ts";
import type { Sandbox } from "../sandbox.ts";
import type { RazorpayVirtualAccount } from "../state-schemas.ts";
import { formatAmount } from "./checkout.ts";
import { credit, isClosed, sandboxIfsc } from "./virtual-accounts.ts";

const currency = "INR";

export function bankHandlers(sandbox: Sandbox): HttpHandler[] {
  return [
    http.get(anyOrigin("/bank"), () => HttpResponse.html(listPage(sandbox))),
    http.post(anyOrigin("/bank"), async ({ request }) => {
      const fields = await readForm(request);
      const number = (fields.get("number") ?? "").replaceAll(/\s/g, "");
      const account = Object.values(sandbox.state.razorpay.virtualAccounts).find(
        (each) => each.number === number,
      );
      const amount = Math.round(Number((fields.get("amount") ?? "").replaceAll(/[,\s]/g, "")) * 100);
      if (account === undefined)
        return HttpResponse.html(refusedPage("There is no such account."), { status: 400 });
      if (!Number.isSafeInteger(amount) || amount <= 0)
        return HttpResponse.html(refusedPage("The amount is not valid."), { status: 400 });
      const utr = fields.get("utr") ?? "";
      const paid = credit(sandbox, account, { amount, utr: utr === "" ? undefined : utr });
      await sandbox.save();
      return HttpResponse.html(sentPage(account, amount, paid.status === "refunded"));
    }),
  ];
}

function listPage(sandbox: Sandbox): string {
  const accounts = Object.values(sandbox.state.razorpay.virtualAccounts).reverse();
  return page({
    title: "Bank (sandbox)",
    body: html`<h1>Transfer money</h1>
<p class="note">The buyer's bank. No money moves.</p>
<form method="post" action="/bank">
<label class="field">Account number <input name="number" required value="${accounts[0]?.number ?? ""}"></label>
<label class="field">Amount in rupees <input name="amount" inputmode="decimal" required></label>
<label class="field">UTR (made up when empty) <input name="utr"></label>
<div class="buttons"><button class="button main">Transfer</button></div>
</form>
<h2>Accounts</h2>
<ul>${accounts
      .slice(0, 50)
      .map(
        (each) =>
          html`<li>${each.number}, ${sandboxIfsc}: ${each.description}, ${formatAmount(each.amount_paid, currency)} received${
            isClosed(sandbox, each) ? ", closed" : ""
          }</li>`,
      )}</ul>`,
  });
}

function sentPage(account: RazorpayVirtualAccount, amount: number, isReturned: boolean): string {
  return page({
    title: "Transferred",
    body: html`<h1>Transferred</h1>
<p role="status">${formatAmount(amount, currency)} to ${account.number}${isReturned ? ", which is closed: the money comes back" : ""}.</p>
<p><a href="/bank">Transfer more</a></p>`,
  });
}

function refusedPage(why: string): string {
  return page({
    title: "Not transferred",
    body: html`<h1>Not transferred</h1>
<p class="failed">${why}</p>
<p><a href="/bank">Back</a></p>`,
  });
}
