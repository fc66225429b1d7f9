/** The same in Hindi. */
import type { cart as english } from "../english/cart.ts";
import type { MessagesOf } from "../messages.ts";

export const cart: MessagesOf<typeof english> = {};
