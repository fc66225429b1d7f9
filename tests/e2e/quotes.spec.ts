/** Buying as a company: the orderer, the approver and the payer are three people on three devices. */
import { createHash } from "node:crypto";
import type { Locator, Page } from "playwright/test";
import { pdfPages } from "#tests/support/pdf-text.ts";
import { expect, test } from "./fixtures.ts";
import { newEmail } from "./pages/account-step.ts";
import { Inbox } from "./pages/inbox.ts";
import { InvoicePage } from "./pages/invoice.ts";
import { BankPage } from "./pages/other-payment-methods.ts";

/** Opens the quote's page once a change has made a new version. @param said text that only that version has */
async function openNewest(page: Page, orderId: string, said: Locator): Promise<void> {
  await expect(async () => {
    await page.goto(`/orders/${orderId}/quote`);
    await expect(said).toBeVisible({ timeout: 1_000 });
    await expect(page.getByText("This quote is valid until")).toBeVisible({ timeout: 1_000 });
  }).toPass();
}

/** Names the company's accountant as a recipient of invoices, who agrees on another device. */
async function nameAccountant(page: Page, inbox: Inbox, otherDevice: () => Promise<{ page: Page }>) {
  const accountant = newEmail("accountant");
  await page.goto("/company");
  const contacts = page.getByRole("region", { name: "Billing contacts" });
  await contacts.getByLabel("Email").fill(accountant);
  await contacts.getByRole("button", { name: "Add" }).click();
  await expect(page.getByText(`We've emailed ${accountant}`)).toBeVisible();
  const { page: theirs } = await otherDevice();
  await theirs.goto(Inbox.linkIn(await inbox.wait(accountant, /^Please confirm: billing documents from /)));
  await theirs.getByRole("button", { name: "Send them to me" }).click();
  await expect(theirs.getByText("You will get these documents from now on.")).toBeVisible();
  return accountant;
}

for (const where of [" @without-scripts", " @journey"]) {
  test(`a quote is refused, changed, approved and paid by transfer${where}`, async ({
    shop,
    page,
    context,
    otherDevice,
    sandboxUrl,
    expectAccessible,
  }) => {
    const buyer = await shop.reachPlaceOrder({ family: "brio", plan: "brio-desk", quantity: "40" });
    const { orderId, orderLink } = shop;
    // Only an owner with a verified mailbox can name recipients of documents.
    await shop.setPasswordFromMail(buyer.email, "a-good-Pass-1");
    await shop.logIn(buyer.email, "a-good-Pass-1");
    const accountant = await nameAccountant(page, shop.inbox, otherDevice);
    await page.goto(`${orderLink}/place-order`);
    await page.getByText("Purchase order, cost centre, note").click();
    await page.getByLabel("Purchase order number").fill("PO-4711");
    await page.getByRole("button", { name: "Create quote" }).click();
    // The first version has it.
    await expect(page.getByText(/^QT\/IN\/[\d-]+\/\d+$/).first()).toBeVisible();
    await expect(page.getByText("PO-4711").first()).toBeVisible();
    await page.getByRole("link", { name: "Purchase order number and cost centre" }).click();
    await page.getByLabel("Cost centre").fill("CC 12");
    await page.getByRole("main").getByRole("button", { name: "Save" }).click();
    // As below: leaving before the response aborts the post.
    await expect(page.getByText("Saved. The invoice will show it.")).toBeVisible();
    await openNewest(page, orderId, page.getByText("CC 12").first());
    await expectAccessible();

    const phone = (await otherDevice()).page;
    await phone.setViewportSize({ width: 360, height: 740 });
    const approver = newEmail("approver");
    const ask = async () => {
      await page.locator("summary", { hasText: "Ask for approval" }).click();
      await page.getByLabel("Approver's email").fill(approver);
      await page.getByLabel("What it is for").first().fill("Seats for the new branch in Pune");
      await page.getByRole("button", { name: "Ask for approval" }).click();
      await expect(page.getByText(`The email to ${approver} is on its way.`)).toBeVisible();
      await expect(
        page.getByText(new RegExp(`^Waiting since .+ for ${approver} to approve\\.$`)),
      ).toBeInViewport();
    };
    await ask();
    const first = Inbox.linkIn(await shop.inbox.wait(approver, /^Please approve: brio Desk/));
    await phone.goto(first);
    for (const said of ["Seats for the new branch in Pune", "PO-4711", "40 at"])
      await expect(phone.getByText(said).first()).toBeVisible();
    await expectAccessible(phone);
    const decline = phone.locator("summary", { hasText: "Decline" });
    for (const answer of [phone.getByRole("button", { name: "Approve" }), decline])
      await expect(answer).toBeInViewport({ ratio: 1 });
    await decline.click();
    await phone.getByLabel("Reason").fill("30 are enough");
    await phone.getByRole("button", { name: "Decline for this reason" }).click();
    await expect(phone.getByRole("heading", { level: 1, name: "Declined" })).toBeVisible();
    await expectAccessible(phone);
    expect((await shop.inbox.wait(buyer.email, /^Declined: brio Desk/)).text).toContain("30 are enough");

    await page.reload();
    await expect(page.getByText(`${approver} declined this quote on`)).toBeVisible();
    await expectAccessible();
    await page.getByRole("link", { name: "Change the order" }).click();
    await shop.details.quantity.fill("30");
    await shop.details.next();
    // With scripts a click does not wait for its post, and leaving before the next step appears aborts it.
    await expect(shop.details.heading).toBeHidden();
    await openNewest(page, orderId, page.getByRole("cell", { name: "30", exact: true }));
    await phone.goto(first);
    await expect(phone.getByText("The order changed after this link was sent")).toBeVisible();
    await ask();
    const isSecond = async () => {
      const mails = await shop.inbox.read(approver);
      return mails.filter(({ subject }) => subject.startsWith("Please approve")).length === 2;
    };
    await expect.poll(isSecond, { intervals: [100] }).toBe(true);
    const [second] = await shop.inbox.read(approver);
    if (second === undefined) throw new Error("No second mail");
    await phone.goto(Inbox.linkIn(second));
    await phone.getByRole("button", { name: "Approve" }).click();
    await expect(phone.getByRole("heading", { level: 1, name: "Approved" })).toBeVisible();
    await shop.inbox.wait(buyer.email, /^Approved: brio Desk/);

    const payer = newEmail("payer");
    await page.reload();
    await page.locator("summary", { hasText: "Ask someone to pay" }).click();
    await page.getByLabel("Payer's email").fill(payer);
    await page.getByRole("checkbox", { name: "I have read and accept these terms." }).check();
    await page.getByRole("button", { name: "Send for payment" }).click();
    const desk = (await otherDevice()).page;
    await desk.goto(Inbox.linkIn(await shop.inbox.wait(payer, /^Please pay: brio Desk/)));
    await desk.getByRole("button", { name: "Pay by bank transfer" }).click();
    const lineOf = async (label: string) => {
      const value = desk.getByText(label, { exact: true }).locator("xpath=following-sibling::dd");
      return (await value.first().textContent())?.trim() ?? "";
    };
    const number = await lineOf("Account number");
    const amount = Number((await lineOf("Amount to transfer")).replace(/[^\d.]/g, ""));
    await new BankPage(await context.newPage(), sandboxUrl).transfer({ number, amount });

    await shop.inbox.wait(buyer.email, /^Your access to brio Desk/);
    await shop.inbox.wait(payer, /^Payment received for brio Desk/);
    await expect(async () => {
      await desk.reload();
      await expect(desk.getByText("This order is paid")).toBeVisible({ timeout: 1_000 });
    }).toPass();
    await page.goto(`/orders/${orderId}/invoice`);
    const invoice = new InvoicePage(page);
    await expect(invoice.sheet).toContainText("PO-4711");
    const copy = await shop.inbox.wait(accountant, /Invoice IN\//);
    expect(copy.text).toContain("PO-4711");
    const file = await invoice.file();
    const sha256 = createHash("sha256").update(file).digest("hex");
    expect(copy.attachments).toEqual([
      { name: expect.stringMatching(/^invoice-IN-.*\.pdf$/), type: "application/pdf", sha256 },
    ]);
    expect((await pdfPages(file)).join(" ")).toContain("PO-4711");
    await page.goto("/subscriptions");
    await expect(page.getByText(/30/).first()).toBeVisible();
  });
}
