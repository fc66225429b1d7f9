/** The same in Hindi. */
import type { errorPage as english } from "../english/error-page.ts";
import type { MessagesOf } from "../messages.ts";

export const errorPage: MessagesOf<typeof english> = {};
