/** The text of each mail to buyers, in its reader's language. layout.ts decides how it looks. */
import type { LanguageId } from "#server/foundation/languages/language.ts";
import { accountTemplatesIn } from "./templates/account.ts";
import { moneyTemplatesIn } from "./templates/money.ts";
import { orderTemplatesIn } from "./templates/order.ts";
import { subscriptionTemplatesIn } from "./templates/subscription.ts";

export function templatesIn(language: LanguageId) {
  return {
    ...accountTemplatesIn(language),
    ...orderTemplatesIn(language),
    ...moneyTemplatesIn(language),
    ...subscriptionTemplatesIn(language),
  } as const;
}
