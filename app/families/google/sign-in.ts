/** Google Sign-In: what it shows and takes. The password and the transfer token only pass through. */
import { notThisOrders } from "#server/families/sign-in.ts";
import type { SignInScreens } from "../family.ts";
import { googleSignInSchema } from "./schemas.ts";

export const signIn: SignInScreens = {
  listedOn: null,
  schema: googleSignInSchema,
  async view(_request, { details, signIn, version }) {
    return {
      asks: {
        family: "google",
        attempt: version,
        domain: details.google?.domain ?? "",
        isTransfer: details.google?.customerType === "transfer_token",
        username: signIn?.mode === "google-new" ? signIn.username : "admin",
      },
      problem: details.signInProblem ?? null,
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
      await answer({
        answers: { mode: value.mode },
        secret: { purpose: "transfer-token", username: "", value: value.transferToken },
      });
    } else {
      throw notThisOrders();
    }
    return null;
  },
};
