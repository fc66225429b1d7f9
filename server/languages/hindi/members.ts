/** The same in Hindi. */
import type { members as english } from "../english/members.ts";
import type { MessagesOf } from "../messages.ts";

export const members: MessagesOf<typeof english> = {};
