/** The same in Hindi. */
import type { operatorMail as english } from "../english/operator-mail.ts";
import type { MessagesOf } from "../messages.ts";

export const operatorMail: MessagesOf<typeof english> = {};
