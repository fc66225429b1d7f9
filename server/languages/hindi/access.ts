/** The same in Hindi. */
import type { access as english } from "../english/access.ts";
import type { MessagesOf } from "../messages.ts";

export const access: MessagesOf<typeof english> = {};
