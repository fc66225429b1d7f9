/** The account that was made for a finished order, for its mail. */
import type { Order } from "#db/orders/order.ts";
import { findSignInName } from "#server/accounts/credentials/credentials.ts";
import { findUser } from "#server/accounts/users.ts";
import { families } from "#server/catalogue/families/registry.ts";
import { type MessageDescriptor, msg } from "#server/foundation/languages/text.ts";
import type { Context } from "#server/platform/context.ts";

export interface NewAccount {
  /** The name to sign in with at the vendor. */
  username: string;
  /** The tasks of the order's last page, by their titles. */
  tasks: readonly MessageDescriptor[];
}

/** Null for an order that made no account, or whose sign-in details are no longer kept. */
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
