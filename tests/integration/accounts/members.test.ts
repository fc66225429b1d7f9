/** Members, roles and invitations over HTTP: permissions, single-use links and what viewers see. */
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import type { CustomerId, InviteId, UserId } from "#db/ids.ts";
import type { MemberRole } from "#db/tables/enums.ts";
import { findMembership } from "#server/accounts/customers.ts";
import { inviteMember } from "#server/accounts/invites.ts";
import { changeRole, listMembers, ownerRequiredMessage } from "#server/accounts/members.ts";
import { newPasswordTooCommon } from "#server/accounts/new-password.ts";
import { createUser, findUserByEmail } from "#server/accounts/users.ts";
import { english, msg } from "#server/foundation/languages/text.ts";
import { newToken } from "#server/foundation/security/token.ts";
import { sendMail } from "#server/mail/send.ts";
import { viewerOnlyMessageKey } from "#server/orders/draft.ts";
import { expectNoWrites } from "#tests/support/digest.ts";
import { HttpBrowser, type TestResponse } from "#tests/support/http-browser.ts";
import { accountForm, beginOrder, freshEmail, plan } from "#tests/support/journey.ts";
import { join, makeCompany, makePerson, type Person, signedIn } from "#tests/support/orders.ts";
import { startStore } from "#tests/support/store.ts";

// No worker: each test sends the mails it needs.
const { stack, context, controls } = await startStore();

/** Returns a page's HTML without React's text separators. */
const said = ({ text }: TestResponse) => text.replaceAll("<!-- -->", "").replaceAll("&#x27;", "'");

const visitor = () => new HttpBrowser(stack.url);
const as = (person: Person) => signedIn(context, stack.url, person);

/** Forms that would change the company. */
const changes = (member: UserId, inviteId: InviteId): Record<string, string>[] => [
  { intent: "change-role", member, role: "owner" },
  { intent: "remove", member },
  { intent: "withdraw", invite: inviteId },
];

interface Company {
  id: CustomerId;
  name: string;
  owner: Person;
}

let companies = 0;
async function aCompany(): Promise<Company> {
  companies += 1;
  const name = `Teal Looms ${companies}`;
  const owner = await makePerson(context.db);
  return { id: await makeCompany(context.db, owner, name), name, owner };
}

async function aMember({ id }: Company, role: MemberRole): Promise<Person> {
  const person = await makePerson(context.db);
  await join(context.db, id, person, role);
  return person;
}

const roleOf = async ({ id }: Company, { userId }: Person) =>
  (await findMembership(context.db, userId, id))?.role ?? null;
const auditOf = async ({ id }: Company) =>
  (
    await context.db
      .selectFrom("audit_log")
      .select("action")
      .where("subject", "=", `customer:${id}`)
      .orderBy("id")
      .execute()
  ).map(({ action }) => action);

async function invite({ owner }: Company, email: string, role: MemberRole = "buyer"): Promise<TestResponse> {
  return (await as(owner)).post("/members", { intent: "invite", email, role });
}

/** Sends the unsent mails of this address and returns the newest link's path. */
async function linkMailedTo(email: string): Promise<string> {
  const mails = await context.db
    .selectFrom("mails")
    .select("id")
    .where("recipient", "=", email)
    .where("sent_at", "is", null)
    .execute();
  for (const { id } of mails) await sendMail(context, id);
  const [mail] = await controls.inbox(email);
  const link = /https?:\/\/\S+/.exec(mail?.text ?? "")?.[0];
  if (link === undefined) throw new Error(`No link for ${email}`);
  return new URL(link).pathname;
}

const newcomer = { intent: "new", firstName: "Nila", lastName: "Sen", password: "a-good-Pass-1" };

describe("an invitation", () => {
  test("creates an account that is signed in, proven and a member; the link works once", async () => {
    const company = await aCompany();
    const email = freshEmail();
    expect(await invite(company, email)).toMatchObject({ status: 303, location: "/members" });
    const link = await linkMailedTo(email);
    const [mail] = await controls.inbox(email);
    expect(mail?.text).toContain(
      `Asha Rao (${company.owner.email}) has invited you to join “${company.name}” as a buyer`,
    );

    const guest = visitor();
    const page = await guest.get(link);
    expect(said(page)).toContain(`Join ${company.name}`);
    expect(said(page)).toContain("First Name");
    const short = await guest.post(link, { ...newcomer, password: "short" });
    expect(short.status).toBe(400);
    expect(said(short)).toContain("Password must be at least 8 characters long.");
    expect(said(short)).not.toContain('value="short"');

    const common = await guest.post(link, { ...newcomer, password: "Baseball" });
    expect([common.status, said(common).includes(english(newPasswordTooCommon))]).toEqual([400, true]);

    const joined = await guest.post(link, newcomer);
    expect([joined.status, joined.location]).toEqual([303, "/members"]);
    const user = await findUserByEmail(context.db, email);
    expect(user).toMatchObject({ firstName: "Nila", hasPassword: true, emailVerifiedAt: expect.any(Date) });
    if (user === null) throw new Error("Expected an account");
    expect(await roleOf(company, { userId: user.id, email })).toBe("buyer");
    const members = await guest.get("/members");
    expect(said(members)).toContain("Welcome to");
    expect(said(members)).toContain("Nila Sen");
    expect(await auditOf(company)).toEqual([
      "customer.create",
      "invite.create",
      "member.set",
      "invite.accept",
    ]);

    for (const browser of [guest, visitor()]) {
      expect(said(await browser.get(link))).toContain("This invitation no longer works");
      const again = await expectNoWrites(context.db, () => browser.post(link, newcomer));
      expect(again.status).toBe(409);
    }
    const login = await visitor().post("/login", { email, password: newcomer.password });
    expect(login.status).toBe(303);
  });

  test("stores only a hash of the token, for 7 days", async () => {
    const company = await aCompany();
    const email = freshEmail();
    await invite(company, email);
    const token = (await linkMailedTo(email)).replace("/invite/", "");
    const rows = await context.db
      .selectFrom("one_time_tokens")
      .innerJoin("member_invites", "member_invites.id", "one_time_tokens.invite_id")
      .select(["one_time_tokens.hash", "one_time_tokens.expires_at"])
      .where("member_invites.email", "=", email)
      .execute();
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(token);
    const days = (Number(rows[0]?.expires_at) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(6.9);
    expect(days).toBeLessThanOrEqual(7);
    const mails = await sql<{ text: string }>`select to_jsonb(m)::text as text from mails m`.execute(
      context.db,
    );
    expect(mails.rows.map(({ text }) => text).join("\n")).not.toContain(token);
  });

  test("lets the signed-in owner of that email join once, even when pressed twice", async () => {
    const company = await aCompany();
    const person = await makePerson(context.db);
    await invite(company, person.email.toUpperCase(), "viewer");
    const link = await linkMailedTo(person.email.toUpperCase());
    const browser = await as(person);
    expect(said(await browser.get(link))).toContain(`You're signed in as ${person.email.toUpperCase()}`);
    expect(await roleOf(company, person)).toBeNull();
    const answers = await Promise.all([1, 2].map(() => browser.post(link, { intent: "accept" })));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 409]);
    expect(await roleOf(company, person)).toBe("viewer");
    expect((await auditOf(company)).filter((action) => action === "invite.accept")).toHaveLength(1);
  });

  test("sends a known email to the login and does not set its password", async () => {
    const company = await aCompany();
    const email = freshEmail();
    const password = "the-owners-Pass-1";
    await context.db
      .transaction()
      .execute((trx) =>
        createUser(trx, { email, firstName: "Mira", lastName: "Das", phone: "9876543210", password }),
      );
    await invite(company, email);
    const link = await linkMailedTo(email);
    const browser = visitor();
    const page = await browser.get(link);
    expect(said(page)).toContain(`/login?next=${encodeURIComponent(link)}`);
    expect(said(page)).not.toContain('type="password"');
    const forced = await expectNoWrites(context.db, () => browser.post(link, newcomer));
    expect(forced.status).toBe(409);
    expect(said(forced)).toContain(`${email} already has an account.`);
    expect(browser.hasCookie("session")).toBe(false);
    const login = await browser.post("/login", { email, password, next: link });
    expect(login.location).toBe(link);
    expect((await browser.post(link, {})).status).toBe(303);
  });

  test("shows other users only that it is for someone else", async () => {
    const company = await aCompany();
    const email = freshEmail();
    await invite(company, email);
    const link = await linkMailedTo(email);
    const stranger = await makePerson(context.db);
    const browser = await as(stranger);
    const page = await browser.get(link);
    expect(said(page)).toContain("This invitation is for someone else");
    expect(said(page)).not.toContain(company.name);
    expect(said(page)).not.toContain(email);
    for (const form of [{}, newcomer]) {
      const posted = await expectNoWrites(context.db, () => browser.post(link, form));
      expect(posted.status).toBe(403);
      expect(said(posted)).not.toContain(company.name);
    }
    // It still works for its recipient.
    expect(said(await visitor().get(link))).toContain(`Join ${company.name}`);
  });

  test.each(["token", "invitation"])("expires with the %s", async (part) => {
    const company = await aCompany();
    const email = freshEmail();
    await invite(company, email);
    const link = await linkMailedTo(email);
    const past = new Date(Date.now() - 1_000);
    const invites = context.db.selectFrom("member_invites").select("id").where("email", "=", email);
    if (part === "token") {
      await context.db
        .updateTable("one_time_tokens")
        .set({ expires_at: past })
        .where("invite_id", "in", invites)
        .execute();
    } else {
      await context.db
        .updateTable("member_invites")
        .set({ expires_at: past })
        .where("email", "=", email)
        .execute();
    }
    expect(said(await visitor().get(link))).toContain("This invitation no longer works");
    expect((await expectNoWrites(context.db, () => visitor().post(link, newcomer))).status).toBe(409);
  });

  test("refuses guessed tokens and tokens for other purposes", async () => {
    const company = await aCompany();
    const link = `/invite/${newToken()}`;
    expect(said(await visitor().get(link))).toContain("This invitation no longer works");
    expect((await expectNoWrites(context.db, () => visitor().post(link, newcomer))).status).toBe(409);
    const dead = await visitor().get(link);
    // A link that a mail program has cut off shows the same page.
    for (const cut of ["/invite/short", link.slice(0, -8)]) {
      const answer = await visitor().get(cut);
      expect([answer.status, dead.status]).toEqual([404, 404]);
      expect(said(answer)).toContain("This invitation no longer works");
      expect(said(answer)).toContain("Ask an owner of the company to send another.");
      expect(said(answer)).toContain('href="/login"');
    }

    const email = freshEmail();
    await invite(company, email);
    const token = (await linkMailedTo(email)).replace("/invite/", "");
    expect(said(await visitor().get(`/set-password/${token}`))).toContain("This link no longer works");
    expect((await visitor().get(`/resume/${token}`)).status).toBe(404);
  });

  test("keeps the later role when sent twice; using one link ends both", async () => {
    const company = await aCompany();
    const email = freshEmail();
    await invite(company, email, "viewer");
    const first = await linkMailedTo(email);
    await invite(company, email, "owner");
    const second = await linkMailedTo(email);
    expect(second).not.toBe(first);
    const guest = visitor();
    expect((await guest.post(first, newcomer)).status).toBe(303);
    const user = await findUserByEmail(context.db, email);
    if (user === null) throw new Error("Expected an account");
    expect(await roleOf(company, { userId: user.id, email })).toBe("owner");
    expect(said(await visitor().get(second))).toContain("This invitation no longer works");
  });

  test("stops working when withdrawn, and its mail is not sent", async () => {
    const company = await aCompany();
    const email = freshEmail();
    await invite(company, email);
    const link = await linkMailedTo(email);
    const owner = await as(company.owner);
    const page = await owner.get("/members");
    const id = /name="invite" value="([^"]+)"/.exec(page.text)?.[1] ?? "";
    expect((await owner.post("/members", { intent: "withdraw", invite: id })).status).toBe(303);
    expect(said(await visitor().get(link))).toContain("This invitation no longer works");
    expect((await visitor().post(link, newcomer)).status).toBe(409);
    expect((await owner.post("/members", { intent: "withdraw", invite: id })).status).toBe(404);
    expect(await auditOf(company)).toContain("invite.withdraw");

    const other = freshEmail();
    await invite(company, other);
    await context.db
      .updateTable("member_invites")
      .set({ withdrawn_at: new Date() })
      .where("email", "=", other)
      .execute();
    await expect(linkMailedTo(other)).rejects.toThrow("No link");
    expect(await controls.inbox(other)).toEqual([]);
  });

  test("refuses an address that is already a member", async () => {
    const company = await aCompany();
    const viewer = await aMember(company, "viewer");
    const owner = await as(company.owner);
    const form = { intent: "invite", email: viewer.email.toUpperCase(), role: "buyer" };
    const answer = await expectNoWrites(context.db, () => owner.post("/members", form));
    expect(answer.status).toBe(409);
    expect(said(answer)).toContain(`${viewer.email.toUpperCase()} is already a member, as viewer.`);
  });

  test.each([
    [{ email: "nonsense", role: "buyer" }, "Please enter a valid email"],
    [{ email: "", role: "buyer" }, "Please enter an email"],
    [{ email: "a@example.com", role: "king" }, "Please choose a role"],
  ])("shows an error for %j", async (form, message) => {
    const company = await aCompany();
    const browser = await as(company.owner);
    const answer = await expectNoWrites(context.db, () =>
      browser.post("/members", { intent: "invite", ...form }),
    );
    expect(answer.status).toBe(400);
    expect(said(answer)).toContain(message);
  });

  test("limits invitations per address and per company", async () => {
    const company = await aCompany();
    // One window for all calls: with the real clock, a new window could begin.
    const now = new Date();
    const send = (email: string) =>
      inviteMember(context.db, {
        customerId: company.id,
        by: company.owner.userId,
        email,
        role: "viewer",
        now,
      });
    const email = freshEmail();
    for (let sent = 0; sent < 10; sent += 1) await send(email);
    await expect(send(email.toUpperCase())).rejects.toMatchObject({ code: "rate_limited" });
    for (let sent = 11; sent < 20; sent += 1) await send(freshEmail());
    await expect(send(freshEmail())).rejects.toMatchObject({ code: "rate_limited" });
  });
});

describe("the members page", () => {
  test("shows members to the whole company but lets only owners change them", async () => {
    const company = await aCompany();
    const buyer = await aMember(company, "buyer");
    const viewer = await aMember(company, "viewer");
    const email = freshEmail();
    await invite(company, email);
    const open = await context.db
      .selectFrom("member_invites")
      .select("id")
      .where("email", "=", email)
      .executeTakeFirstOrThrow();
    for (const person of [buyer, viewer]) {
      const browser = await as(person);
      const page = await browser.get("/members");
      expect(page.status).toBe(200);
      for (const { email: shown } of [company.owner, buyer, viewer]) expect(said(page)).toContain(shown);
      expect(said(page)).not.toContain("Invite a member");
      expect(said(page)).not.toContain(email);
      for (const form of [
        { intent: "invite", email: freshEmail(), role: "owner" },
        ...changes(company.owner.userId, open.id),
      ]) {
        const answer = await expectNoWrites(context.db, () => browser.post("/members", form));
        expect(answer.status, form.intent).toBe(403);
        expect(said(answer)).toContain(`Only an owner of ${company.name} can do this.`);
      }
    }
  });

  test("hides members from another company's owner", async () => {
    const [mine, theirs] = [await aCompany(), await aCompany()];
    const buyer = await aMember(theirs, "buyer");
    const email = freshEmail();
    await invite(theirs, email);
    const open = await context.db
      .selectFrom("member_invites")
      .select("id")
      .where("email", "=", email)
      .executeTakeFirstOrThrow();
    const browser = await as(mine.owner);
    const page = await browser.get("/members");
    for (const hidden of [theirs.name, buyer.email, email]) expect(said(page)).not.toContain(hidden);
    for (const form of changes(buyer.userId, open.id)) {
      const answer = await expectNoWrites(context.db, () => browser.post("/members", form));
      expect(answer.status, form.intent).toBe(404);
    }
  });

  test("asks a visitor to log in, and explains the page to users without a company", async () => {
    expect((await visitor().get("/members")).location).toBe("/login?next=%2Fmembers");
    const posted = await expectNoWrites(context.db, () =>
      visitor().post("/members", { intent: "invite", email: "a@example.com", role: "owner" }),
    );
    expect(posted.location).toBe("/login?next=%2Fmembers");
    const browser = await as(await makePerson(context.db));
    expect(said(await browser.get("/members"))).toContain("You're not part of a company yet.");
    const form = { intent: "invite", email: "a@example.com", role: "owner" };
    expect((await expectNoWrites(context.db, () => browser.post("/members", form))).status).toBe(404);
  });

  test("changes or removes a member at once and audits both", async () => {
    const company = await aCompany();
    const person = await aMember(company, "viewer");
    const owner = await as(company.owner);
    const theirs = await as(person);
    const change = { intent: "change-role", member: person.userId, role: "buyer" };
    expect((await owner.post("/members", change)).status).toBe(303);
    expect(await roleOf(company, person)).toBe("buyer");
    expect(said(await owner.get("/members"))).toContain("Role changed.");
    expect((await owner.post("/members", { intent: "remove", member: person.userId })).status).toBe(303);
    expect(await roleOf(company, person)).toBeNull();
    expect(said(await theirs.get("/members"))).toContain("You're not part of a company yet.");
    expect((await auditOf(company)).slice(-2)).toEqual(["member.set", "member.remove"]);
    expect((await owner.post("/members", { intent: "remove", member: person.userId })).status).toBe(404);
  });

  test("hides the company's orders from a removed member", async () => {
    const company = await aCompany();
    const person = await aMember(company, "buyer");
    const browser = await as(person);
    const order = await beginOrder(browser);
    expect((await browser.get(`${order.path}/create-account`)).status).toBe(200);
    const owner = await as(company.owner);
    await owner.post("/members", { intent: "remove", member: person.userId });
    expect((await browser.get(`${order.path}/create-account`)).status).toBe(404);
    const posted = await expectNoWrites(context.db, () =>
      browser.post(`${order.path}/create-account`, accountForm(person.email)),
    );
    expect(posted.status).toBe(404);
    expect((await owner.get(`${order.path}/create-account`)).status).toBe(200);
  });

  test("requires at least one owner", async () => {
    const company = await aCompany();
    const browser = await as(company.owner);
    const member = company.owner.userId;
    const forms: Record<string, string>[] = [
      { intent: "change-role", member, role: "viewer" },
      { intent: "remove", member },
    ];
    for (const form of forms) {
      const answer = await expectNoWrites(context.db, () => browser.post("/members", form));
      expect(answer.status, form.intent).toBe(409);
      expect(said(answer)).toContain(english(ownerRequiredMessage));
    }
    await aMember(company, "owner");
    expect((await browser.post("/members", { intent: "remove", member })).status).toBe(303);
  });

  test("keeps one owner when two demote each other at once", async () => {
    for (let round = 0; round < 5; round += 1) {
      const company = await aCompany();
      const other = await aMember(company, "owner");
      const demote = (by: Person, whom: Person) =>
        context.db.transaction().execute((trx) =>
          changeRole(trx, {
            customerId: company.id,
            by: by.userId,
            userId: whom.userId,
            role: "viewer",
          }),
        );
      await Promise.allSettled([demote(company.owner, other), demote(other, company.owner)]);
      const roles = (await listMembers(context.db, company.id)).map(({ role }) => role);
      expect(roles.sort()).toEqual(["owner", "viewer"]);
    }
  });
});

describe("a viewer", () => {
  test("sees no way to buy in the catalogue, search and subscriptions", async () => {
    const company = await aCompany();
    const viewer = await as(await aMember(company, "viewer"));
    for (const path of ["/", "/home?TUP=true", "/Home", "/search?query=microsoft", "/subscriptions"]) {
      const page = await viewer.get(path);
      expect(page.status, path).toBe(200);
      expect(said(page), path).not.toContain("Buy Now");
      expect(said(page), path).not.toContain("New Subscription");
      if (path !== "/search?query=microsoft")
        expect(said(page), path).toContain("only an owner or a buyer can place one");
    }
    const buyer = await as(await aMember(company, "buyer"));
    expect(said(await buyer.get("/"))).toContain("Buy Now");
    expect(said(await buyer.get("/subscriptions"))).toContain("New Subscription");
  });

  test("gets an explanation when beginning an order", async () => {
    const company = await aCompany();
    const viewer = await as(await aMember(company, "viewer"));
    const form = { term: "P1Y", quantity: "1" };
    const answer = await expectNoWrites(context.db, () =>
      viewer.post(`/order/${plan.family}/${plan.item}/IN`, form),
    );
    expect(answer.status).toBe(403);
    expect(said(answer)).toContain(english(msg(viewerOnlyMessageKey)));
  });

  test("does not change or pay for an order begun as a buyer", async () => {
    const company = await aCompany();
    const person = await aMember(company, "buyer");
    const browser = await as(person);
    const order = await beginOrder(browser);
    const saved = await browser.post(`${order.path}/create-account`, accountForm(person.email));
    expect(saved.location).toBe(`${order.path}/place-order`);
    const owner = await as(company.owner);
    await owner.post("/members", { intent: "change-role", member: person.userId, role: "viewer" });
    for (const [step, form] of [
      ["subscription-details", { term: "P1Y", quantity: "9" }],
      ["create-account", accountForm(person.email)],
      ["place-order", { intent: "place-order", terms: "on", total: "388000" }],
    ] as const) {
      const answer = await expectNoWrites(context.db, () => browser.post(`${order.path}/${step}`, form));
      expect(answer.status, step).toBe(403);
      expect(said(answer), step).toMatch(/only an owner or/i);
    }
  });
});
