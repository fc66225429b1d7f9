/** Google Sign-In: its view and its post. The password and the transfer token are passed on and never stored here. */
import { signInInputFor } from "#server/catalogue/families/google/domain.ts";
import { notThisOrders } from "#server/catalogue/families/sign-in.ts";
import { translateSignInProblem } from "#server/fulfilment/buyer-notes.ts";
import type { SignInScreens } from "../family.ts";
import { googleSignInSchema } from "./schemas.ts";

export const signIn: SignInScreens = {
  listedOn: null,
  schema: googleSignInSchema,
  async view({ language }, order) {
    const { details, signIn, version } = order;
    return {
      asks: {
        family: "google",
        attempt: version,
        domain: details.google?.domain ?? "",
        isTransfer: details.google?.customerType === "transfer_token",
        username: signIn?.mode === "google-new" ? signIn.username : "admin",
      },
      problem: translateSignInProblem(language, order),
    };
  },
  async post(_request, { details }, value, { answer }) {
    if (value.mode === "google-new") {
      const { mode, username, password } = value;
      await answer({
        answers: { mode, username },
        secret: {
          purpose: "sign-in",
          username: `${username}@${details.google?.domain ?? ""}`,
          value: password,
        },
      });
    } else if (value.mode === "google-transfer") {
      await answer(signInInputFor(value.transferToken));
    } else {
      throw notThisOrders();
    }
    return null;
  },
};
