/** A company's members: invited by mail, given a role, viewing without buying, and removed. */
import { randomInt } from "node:crypto";
import { expect, test } from "./fixtures.ts";
import { expectErrors, expectFormError } from "./pages/errors.ts";
import { Inbox } from "./pages/inbox.ts";
import { InvitePage, MembersPage } from "./pages/members.ts";
import { widerThanScreen } from "./pages/screen.ts";
import type { Shop } from "./pages/shop.ts";

const newEmail = () => `member-${Date.now()}-${randomInt(1_000_000)}@example.com`;
const person = { firstName: "Nila", lastName: "Sen", password: "a-good-Pass-1" };
const ownerNeeded = "A company needs an owner. Make someone else an owner first.";

async function linkMailedTo(shop: Shop, email: string): Promise<string> {
  return Inbox.linkIn(await shop.inbox.wait(email, /^You're invited to join a company /));
}

test("an owner invites a viewer, makes them a buyer, removes them @keyboard @journey", async ({
  page,
  shop,
  otherDevice,
  expectAccessible,
}) => {
  const members = new MembersPage(page);
  const { email: ownerEmail, companyName } = await shop.becomeOwner();
  await page.goto("/subscriptions");
  await shop.menu.go("Members");
  await expect(members.heading).toHaveText(`Members of ${companyName}`);
  await expectAccessible();

  await members.invite("nonsense", "Viewer");
  await expectErrors(page, [["Please enter a valid email", members.inviteEmail]]);
  await members.invite(ownerEmail, "Viewer");
  await expectErrors(page, [[`${ownerEmail} is already a member, as owner.`, members.inviteEmail]]);
  const email = newEmail();
  await members.invite(email, "Viewer");
  await expect(page.getByRole("status")).toHaveText(`The invitation to ${email} is on its way.`);
  await expect(members.card(email)).toContainText("as viewer, until");
  await expectAccessible();
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await widerThanScreen(page)).toBe(0);

  const guest = await otherDevice();
  const invite = new InvitePage(guest.page);
  const link = await linkMailedTo(shop, email);
  await guest.page.goto(link);
  await expect(invite.heading).toHaveText(`Join ${companyName}`);
  await expectAccessible(guest.page);
  await invite.joinAs({ ...person, password: "short" });
  await expectErrors(guest.page, [["Password must be at least 8 characters long.", invite.password]]);
  await invite.joinAs(person);
  await expect(guest.page).toHaveURL(/\/members(#.*)?$/);
  const theirs = new MembersPage(guest.page);
  await expect(theirs.card(email)).toContainText("Viewer");
  await expect(theirs.inviteForm).toBeHidden();
  await expectAccessible(guest.page);
  await expect(guest.menu.root).toContainText("Nila Sen");

  // A viewer has no buttons to buy; a link to a form shows them the reason.
  await guest.home.open();
  await expect(guest.home.card("Microsoft Teams Essentials")).toBeVisible();
  await expect(guest.page.getByRole("link", { name: /^Buy Now/ })).toHaveCount(0);
  await expectAccessible(guest.page);
  await guest.details.open("microsoft-365-business-basic", "IN", "microsoft");
  await expect(guest.page.getByRole("main")).toContainText(
    "You can see your company's orders, but only an owner or a buyer can place one.",
  );
  await expectAccessible(guest.page);

  await members.open();
  await members.changeRole(email, "Buyer");
  await expect(page.getByRole("status")).toHaveText("Role changed.");
  await guest.home.open();
  await guest.home.buyNow("Microsoft 365 Business Basic");
  await guest.details.next();
  await guest.expectStep("account");

  // The link is used up.
  await (await otherDevice()).page.goto(link);
  await guest.page.goto(link);
  await expect(invite.heading).toHaveText("This invitation no longer works");
  await expectAccessible(guest.page);

  await members.open();
  await expect(members.card(email)).toContainText("Nila Sen");
  await members.askToRemove(email);
  await expectAccessible();
  await members.confirmRemoval(email);
  await expect(page.getByRole("status")).toHaveText("Member removed.");
  await expect(members.card(email)).toHaveCount(0);
  await theirs.open();
  await expect(guest.page.getByText("You're not part of a company yet.")).toBeVisible();
});

test("the last owner cannot leave, or get a lower role", async ({ page, shop }) => {
  const members = new MembersPage(page);
  const { email } = await shop.becomeOwner("US");
  await members.open();
  await members.changeRole(email, "Viewer");
  await expectFormError(page, ownerNeeded);
  await members.open();
  await members.remove(email);
  await expectFormError(page, ownerNeeded);
  await members.open();
  await expect(members.card(email).getByLabel(/^Role of /)).toHaveValue("owner");
});

test("an invited user logs in and returns; another user sees an explanation", async ({
  page,
  shop,
  otherDevice,
  expectAccessible,
}) => {
  const known = await shop.becomeKnown();
  const owner = await otherDevice();
  const { companyName } = await owner.becomeOwner();
  const members = new MembersPage(owner.page);
  await members.open();
  await members.invite(known.email, "Buyer");
  const link = await linkMailedTo(owner, known.email);

  // The owner who follows the link is not the invited person.
  const wrong = new InvitePage(owner.page);
  await owner.page.goto(link);
  await expect(wrong.heading).toHaveText("This invitation is for someone else");
  await expect(owner.page.getByRole("main")).not.toContainText(known.email);
  await expectAccessible(owner.page);

  const invite = new InvitePage(page);
  await page.goto(link);
  await expect(page.getByText(`${known.email} already has an account.`)).toBeVisible();
  await expect(invite.joinButton).toBeHidden();
  await expectAccessible();
  await invite.logIn();
  await shop.login.logIn(known.email, known.password);
  await expect(page.getByText(`You're signed in as ${known.email}.`)).toBeVisible();
  await expectAccessible();
  await invite.joinButton.click();
  await expect(page.getByRole("status")).toContainText(`Welcome to ${companyName}. You joined as a buyer.`);
});

test("an owner withdraws an invitation @keyboard", async ({ page, shop, otherDevice }) => {
  const members = new MembersPage(page);
  await shop.becomeOwner();
  await members.open();
  const email = newEmail();
  await members.invite(email, "Owner");
  const link = await linkMailedTo(shop, email);
  await members.takeBack(email);
  await expect(page.getByRole("status")).toHaveText("Invitation withdrawn.");
  await expect(members.card(email)).toHaveCount(0);
  const guest = await otherDevice();
  await guest.page.goto(link);
  await expect(new InvitePage(guest.page).heading).toHaveText("This invitation no longer works");
});
