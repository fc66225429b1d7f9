/** The registry of letters: maps each kind of mail to its writer. */
import type { MailKind } from "#db/tables/enums.ts";
import { accountLetters } from "./letters/account.ts";
import type { LettersOf } from "./letters/letter.ts";
import { moneyLetters } from "./letters/money.ts";
import { operatorLetters } from "./letters/operator.ts";
import { orderLetters } from "./letters/order.ts";
import { subscriptionLetters } from "./letters/subscription.ts";

export const letters: LettersOf<MailKind> = {
  ...accountLetters,
  ...orderLetters,
  ...moneyLetters,
  ...subscriptionLetters,
  ...operatorLetters,
};
