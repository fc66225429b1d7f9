/** The account that a finished order created at the vendor, for its mail. */
import type { Order } from "#db/orders/order.ts";
import { findSignInName } from "#server/accounts/credentials/credentials.ts";
import { findUser } from "#server/accounts/users.ts";
import { families } from "#server/catalogue/families/registry.ts";
import { type MessageDescriptor, msg } from "#server/foundation/languages/text.ts";
import type { Context } from "#server/platform/context.ts";

export interface NewAccount {
  /** Sign-in name at the vendor. */
  username: string;
  /** Titles of the tasks on the order's last page. */
  tasks: readonly MessageDescriptor[];
}

/** Returns null for an order that created no account, or whose sign-in details are no longer stored. */
export async function findNewAccount(
  { db, env }: Pick<Context, "db" | "env">,
  order: Order,
): Promise<NewAccount | null> {
  const username = await findSignInName(db, order.id);
  if (username === null) return null;
  const family = families[order.family];
  const atVendor = family.onboardingSteps(order, username.split("@")[1] ?? "", family.startUrl(env));
  const user = order.userId === null ? null : await findUser(db, order.userId);
  return {
    username,
    tasks: [
      msg("closure.save"),
      ...atVendor.map(({ title }) => title),
      ...(user?.hasPassword === true ? [] : [msg("closure.password")]),
    ],
  };
}
