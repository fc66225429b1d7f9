/** The same in Hindi. */
import type { signIn as english } from "../english/sign-in.ts";
import type { MessagesOf } from "../messages.ts";

export const signIn: MessagesOf<typeof english> = {};
