/**
 * Impersonation: a member of staff views the store as one of a company's members. It is a separate kind of session with its own
 * cookie: it is read-only, shows no secret, lasts an hour at most, and ends with the Desk session that opened it. We email the
 * member (docs/decisions/desk.md#impersonation).
 */

import * as rows from "#db/accounts/impersonations.ts";
import {
  type CustomerId,
  newId,
  type SessionId,
  type StaffId,
  type StaffSessionId,
  type StoreViewId,
  type UserId,
} from "#db/ids.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { listMemberships } from "#server/accounts/customers.ts";
import type { SessionUser } from "#server/accounts/sessions.ts";
import { findUser } from "#server/accounts/users.ts";
import { recordAudit } from "#server/foundation/audit.ts";
import { notFound } from "#server/foundation/errors.ts";
import { queueOwnMail } from "#server/foundation/outbox/mail.ts";
import { hashToken, newToken } from "#server/foundation/security/token.ts";
import { editorRoles, hasRole } from "./roles.ts";

/** Maximum duration of a view, in seconds. Also the cookie's Max-Age. */
export const impersonationMaxSeconds = 60 * 60;

/** Roles that may open a view. Checked again at every page: a view ends when the role is lost. */
export const impersonationRoles = editorRoles;

/** A view in progress, and the visitor as whom it shows the store. */
export interface Impersonation {
  visitor: SessionUser;
  company: string;
  until: Date;
}

/**
 * Opens a view, in place of any other of this Desk session, and emails the member.
 * @param opened.reason for the audit log and for the mail
 * @returns the cookie's token, of which only a hash is stored
 * @throws DomainError not_found for a user who is not a member of the company, or whose account is disabled
 */
export async function startImpersonation(
  db: Db,
  { customerId, userId }: { customerId: CustomerId; userId: UserId },
  opened: { sessionId: StaffSessionId; staffId: StaffId; by: string; reason: string },
  now = new Date(),
): Promise<string> {
  const { sessionId, staffId, by, reason } = opened;
  const token = newToken();
  await db.transaction().execute(async (trx) => {
    const user = await findUser(trx, userId);
    const company = (await listMemberships(trx, userId)).find(({ id }) => id === customerId);
    if (user === null || user.disabledAt !== null || company === undefined) throw notFound("member");
    await endImpersonations(trx, sessionId, now);
    const expiresAt = new Date(now.getTime() + impersonationMaxSeconds * 1_000);
    const id = newId<StoreViewId>();
    await rows.insertImpersonation(trx, {
      id,
      staffSessionId: sessionId,
      customerId,
      userId,
      tokenHash: hashToken(token),
      createdAt: now,
      expiresAt,
    });
    await recordAudit(trx, {
      userId: null,
      staffId,
      action: "customer.view",
      subject: `customer:${customerId}`,
      data: { reason, by, as: user.email, until: expiresAt.toISOString(), view: id },
    });
    await queueOwnMail(trx, {
      kind: "store-viewed",
      dedupeKey: `store-viewed:${id}`,
      userId,
      data: { reason, company: company.name, until: expiresAt.toISOString() },
    });
  });
  return token;
}

/** Returns the impersonation of a cookie's token; null when it has ended. */
export async function readImpersonation(
  db: Db,
  token: string,
  now = new Date(),
): Promise<Impersonation | null> {
  const view = await rows.findLiveImpersonation(db, hashToken(token), now);
  if (view === null || !hasRole(view.staffRole, impersonationRoles)) return null;
  const user = await findUser(db, view.userId);
  if (user === null) return null;
  const { email, firstName, lastName, phone, role } = user;
  // The company that the user joined first, as in the user's own session.
  const [first] = await listMemberships(db, view.userId);
  const customer =
    first === undefined ? null : { id: first.id, name: first.name, country: first.country, role: first.role };
  // Staff have shown their own second factor.
  const isKeptOut = false;
  // No real session, so nothing can be ended, renewed or shown as "this one".
  const sessionId = newId<SessionId>();
  return {
    visitor: { userId: view.userId, sessionId, email, firstName, lastName, phone, role, customer, isKeptOut },
    company: customer?.name ?? view.company,
    until: view.expiresAt,
  };
}

/** Ends the impersonations of a Desk session. @returns the company of the last one, or null when none was open */
export async function endImpersonations(
  trx: Trx,
  sessionId: StaffSessionId,
  now: Date,
): Promise<CustomerId | null> {
  const ended = await rows.endImpersonationsOf(trx, sessionId, now);
  await recordEnds(trx, ended);
  return ended.at(-1)?.customerId ?? null;
}

/** Records the end of impersonations whose hour or session is over. They have opened nothing since. */
export async function endOverdueImpersonations(db: Db, now: Date): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const ended = await rows.endExpiredImpersonations(trx, now);
    await recordEnds(trx, ended);
    return ended.length;
  });
}

async function recordEnds(trx: Trx, ended: readonly rows.EndedImpersonation[]): Promise<void> {
  for (const { id, customerId, staffId, staffEmail, userEmail, endedAt } of ended)
    await recordAudit(trx, {
      userId: null,
      staffId,
      action: "customer.view-end",
      subject: `customer:${customerId}`,
      data: { by: staffEmail, as: userEmail, ended: endedAt.toISOString(), view: id },
    });
}
