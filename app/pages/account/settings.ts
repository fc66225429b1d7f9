/** The settings of an account, each with its current state. */
import type { UserId } from "#db/ids.ts";
import { listConnected } from "#server/accounts/connected-identities.ts";
import { listWanted } from "#server/accounts/mail-preferences.ts";
import { readSecondFactor } from "#server/accounts/second-factor.ts";
import * as paths from "#server/foundation/paths.ts";
import { identityProviders } from "#server/integrations/identity-providers/registry.ts";
import type { RequestContext } from "../../http/request-context.ts";
import type { SummaryRow } from "../../ui/summary-list.tsx";

export async function settingsOf(
  { context: { db }, text }: RequestContext,
  { userId, hasPassword }: { userId: UserId; hasPassword: boolean },
): Promise<SummaryRow[]> {
  const [factor, connected, wanted] = await Promise.all([
    readSecondFactor(db, userId),
    listConnected(db, userId),
    listWanted(db, userId),
  ]);
  const passkeys = factor?.passkeys ?? 0;
  const names = (of: readonly string[], otherwise: string) => (of.length === 0 ? otherwise : of.join(", "));
  return [
    {
      label: text("access.password"),
      value: text(hasPassword ? "account.isSet" : "account.notSet"),
      change: paths.changePassword(),
    },
    {
      label: text("account.twoStep"),
      value: text(factor === null ? "account.off" : "account.on"),
      change: paths.secondFactor(),
    },
    {
      label: text("account.passkeys"),
      value: passkeys === 0 ? text("account.noneYet") : String(passkeys),
      change: paths.passkeys(),
    },
    {
      label: text("account.signIns"),
      value: names(
        connected.map(({ provider }) => identityProviders[provider].name),
        text("account.noneYet"),
      ),
      change: paths.signIns(),
    },
    {
      label: text("account.notifications"),
      value: names(
        wanted.map((topic) => text(`notifications.${topic}`)),
        text("account.off"),
      ),
      change: paths.notifications(),
    },
  ];
}
