/** What each mail says to those who buy, in the language of its reader. How it looks is decided in layout.ts. */
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
