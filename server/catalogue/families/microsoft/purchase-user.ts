/** The buyer's own user in the tenant of a purchase. */
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { deleteCredentials } from "#db/accounts/credentials.ts";
import type { AccountAnswers, Order } from "#db/orders/order.ts";
import { didStepFinishWithin } from "#db/platform/stored-steps.ts";
import { readCredentials, storeCredentials } from "#server/accounts/credentials/credentials.ts";
import { generatePassword } from "#server/accounts/credentials/password.ts";
import { queueOperatorAlert } from "#server/foundation/outbox/mail.ts";
import { fullName, vendorLastName } from "#server/foundation/placeholders.ts";
import { ProviderError } from "#server/integrations/errors.ts";
import type { PartnerCenter } from "#server/integrations/partner-center.ts";
import type { Context } from "#server/platform/context.ts";
import { providerStep } from "#server/platform/stored-steps/step.ts";
import { classify } from "./refusals.ts";

export const done = z.object({});

/** Time for which a purchase waits for its user, which may be refused at first because the tenant is new. */
const userWithinMinutes = 10;

/** Concerns one tenant in this call, and the whole account in every other. */
const noRoleInTenant = "900308";

/**
 * Creates the buyer's user. The paid plan has been bought by now, so a user that Microsoft does not create does not stop the
 * order: the buyer gets the administrator that Microsoft created with the tenant.
 * @throws ProviderError while the user may still be created, and when there is no other administrator
 */
export async function createUserIfPossible(
  context: Context,
  partnerCenter: PartnerCenter,
  order: Order,
  account: AccountAnswers,
  tenantId: string,
  userPrincipalName: string,
): Promise<void> {
  const { db, log } = context;
  const admin = await readCredentials(context, db, order.id, "tenant-admin");
  const shown = await readCredentials(context, db, order.id, "sign-in");
  if (admin !== null && admin.username === shown?.username) return;
  try {
    await createUser(context, partnerCenter, order, account, tenantId, userPrincipalName);
  } catch (error) {
    if (!(error instanceof ProviderError) || admin === null) throw error;
    const { action: refusal } = await classify(context, order, error);
    if (refusal === "pause-vendor" && error.code !== noRoleInTenant) throw error;
    const mayPass = refusal === "retry";
    if (mayPass && (await didStepFinishWithin(db, order.id, "checkout", userWithinMinutes))) throw error;
    log.warn({ err: error, orderId: order.id }, "the buyer's user could not be created");
    await db.transaction().execute(async (trx) => {
      await deleteCredentials(trx, order.id, ["sign-in"]);
      await storeCredentials(context, trx, order.id, "sign-in", admin);
      await queueOperatorAlert(trx, {
        dedupeKey: `no-user:${order.id}`,
        orderId: order.id,
        what: `The order is complete, but Microsoft did not create ${userPrincipalName}: ${error.message}. The buyer signs in as ${admin.username}.`,
        toDo: ["Check our GDAP roles for this tenant. They control whether we can create users."],
      });
    });
  }
}

/**
 * Creates a user with the buyer's username, because Microsoft names the tenant's first administrator itself (docs/providers.md,
 * section 1.3).
 */
async function createUser(
  context: Context,
  partnerCenter: PartnerCenter,
  order: Order,
  account: AccountAnswers,
  tenantId: string,
  userPrincipalName: string,
): Promise<void> {
  const { db } = context;
  const admin = await readCredentials(context, db, order.id, "tenant-admin");
  if (admin !== null && admin.username.toLowerCase() === userPrincipalName.toLowerCase()) {
    await storeCredentials(context, db, order.id, "sign-in", admin);
    return;
  }
  // Stored before the call, so that after a crash the stored password is still the one at the provider.
  await storeCredentials(context, db, order.id, "sign-in", {
    username: userPrincipalName,
    password: generatePassword(),
  });
  const credentials = await readCredentials(context, db, order.id, "sign-in");
  if (credentials === null) throw new RangeError("The sign-in credentials expired before the user was made");

  const displayName = fullName(account);
  const { userId } = await providerStep(
    context,
    order.id,
    "user",
    z.object({ userId: z.string() }),
    async ({ requestId }) => {
      const created = await partnerCenter.createUser(
        tenantId,
        {
          usageLocation: order.country,
          userPrincipalName,
          firstName: account.firstName,
          lastName: vendorLastName(account),
          displayName,
          password: credentials.password,
          forceChangePassword: true,
        },
        requestId,
      );
      if (created.outcome === "created") return { userId: created.userId };
      const existing = await partnerCenter.findUser(tenantId, userPrincipalName);
      if (existing === null)
        throw new ProviderError("microsoft", "refused", "POST users", { code: "user_exists" });
      // Either an unanswered try created this user, or Microsoft picked the same name. In both cases the buyer's password must
      // work.
      await partnerCenter.setUserPassword(tenantId, existing.userId, credentials.password, randomUUID());
      return existing;
    },
  );
  await providerStep(context, order.id, "admin-role", done, async ({ requestId }) => {
    await partnerCenter.assignAdminRole(tenantId, { userId, displayName, userPrincipalName }, requestId);
    return {};
  });
}
