/** The same in Hindi. */
import type { families as english } from "../english/families.ts";
import type { MessagesOf } from "../messages.ts";

export const families: MessagesOf<typeof english> = {
  setUp: "अपना सब्सक्रिप्शन सेट करें",
  setUpGoogle: "अपना Google सब्सक्रिप्शन सेट करें",
};
