/** The same in Hindi. */
import type { approval as english } from "../english/approval.ts";
import type { MessagesOf } from "../messages.ts";

export const approval: MessagesOf<typeof english> = {};
