/** The same in Hindi. */
import type { invoice as english } from "../english/invoice.ts";
import type { MessagesOf } from "../messages.ts";

export const invoice: MessagesOf<typeof english> = {};
