/** Prices and texts in Desk: a list is imported, reviewed, scheduled and discarded; a text is previewed and saved. */
import { randomInt } from "node:crypto";
import { hashPassword } from "#server/accounts/passwords.ts";
import { expect, test } from "./fixtures.ts";
import { DeskPage } from "./pages/desk.ts";
import { expectErrors } from "./pages/errors.ts";

const password = "correct horse battery";
/** An item whose price no other test changes; the list is discarded before its day. */
const item = "brio-desk";

test("staff import, review, schedule and discard a price list @keyboard @journey", async ({
  page,
  sql,
  expectAccessible,
}) => {
  const email = `finance-${Date.now()}-${randomInt(1_000_000)}@example.com`;
  await sql("insert into staff (id, email, role, password_hash) values ($1, $2, 'finance', $3)", [
    crypto.randomUUID(),
    email,
    await hashPassword(password),
  ]);
  const desk = new DeskPage(page);
  await page.goto("/desk/prices");
  await desk.signIn(email, password);
  await expect(desk.heading).toHaveText("Prices");
  await expectAccessible();

  const file = (text: string) => ({ name: "next-year.csv", mimeType: "text/csv", buffer: Buffer.from(text) });
  const day = `${new Date().getFullYear() + 1}-12-01`;
  await desk.field("File").setInputFiles(file("item,currency,term,price\nbrio-desk,INR,P1Y,many"));
  await desk.field("Start date (optional)").fill(day);
  await desk.act("Import as a draft");
  await expectErrors(page, [["Enter a reason.", desk.field("Reason")]]);
  await desk.field("Reason").fill("Prices of next year");
  await desk.field("File").setInputFiles(file("item,currency,term,price\nbrio-desk,INR,P1Y,many"));
  await desk.act("Import as a draft");
  await expectErrors(page, [
    [`Line 2: "many" isn't a price. Use a number such as 1644 or 68.40.`, desk.field("File")],
  ]);
  await expectAccessible();
  await desk
    .field("File")
    .setInputFiles(file(`item,currency,term,price\n${item},INR,P1Y,99999\nnothing,INR,P1Y,5`));
  await desk.act("Import as a draft");

  await expect(desk.heading).toHaveText(/^Price list \d+$/);
  const number = ((await desk.heading.textContent()) ?? "").replace("Price list ", "");
  await expect(page.locator("[data-notice]")).toContainText(`Price list ${number} saved as a draft`);
  await expect(desk.row("₹99,999")).toContainText("changed");
  await expect(desk.row("nothing")).toContainText("unknown item");
  await expectAccessible();
  await page.getByRole("link", { name: "unknown item (1)" }).click();
  await expect(desk.row("₹99,999")).toHaveCount(0);

  await desk.openAct("Apply");
  await expectAccessible();
  await desk.field("Lines that cannot be applied").selectOption({ label: "Skip them and apply the rest" });
  await desk.field("Reason").fill("Agreed with sales");
  await desk.act("Apply");
  await expect(page.locator("[data-notice]")).toContainText("1 price is set by price list");
  await expect(page.getByRole("main")).toContainText("planned");
  await desk.row("₹99,999").getByRole("link").click();
  await expect(desk.row("planned")).toContainText("₹99,999");
  await expectAccessible();
  await page.goBack();

  await desk.openAct("Revert");
  await desk.field("Reason").fill("Not yet");
  await desk.act("Revert");
  await expect(page.locator("[data-notice]")).toContainText("1 price stays as before.");
  await desk.go("Prices");
  await expect(desk.row(`Price list ${number}`)).toContainText("reverted");

  await desk.go("Content");
  await expectAccessible();
  await page.getByRole("link", { name: "brio Desk", exact: true }).click();
  await desk.field("Description in English").fill("Said to nobody but me.");
  await desk.field("Description in Hindi").fill("सिर्फ़ मुझसे कहा गया।");
  await page.getByRole("button", { name: "Preview" }).click();
  const preview = page.getByRole("region", { name: "Preview" });
  await expect(preview).toContainText("Said to nobody but me.");
  await expect(preview).toContainText("सिर्फ़ मुझसे कहा गया।");
  await expect(desk.field("Description in English")).toHaveValue("Said to nobody but me.");
  await expectAccessible();
  await desk.act("Save");
  await expectErrors(page, [["Enter a reason.", desk.field("Reason")]]);
});
