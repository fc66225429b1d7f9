/** The same in Hindi. */
import type { subscriptions as english } from "../english/subscriptions.ts";
import type { MessagesOf } from "../messages.ts";

export const subscriptions: MessagesOf<typeof english> = {};
