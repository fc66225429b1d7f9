/** The same in Hindi. */
import type { errors as english } from "../english/errors.ts";
import type { MessagesOf } from "../messages.ts";

export const errors: MessagesOf<typeof english> = {};
