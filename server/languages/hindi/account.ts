/** The same in Hindi. */
import type { account as english } from "../english/account.ts";
import type { MessagesOf } from "../messages.ts";

export const account: MessagesOf<typeof english> = {};
