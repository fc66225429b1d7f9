/** GET and POST /google/signup: checks whether a domain is free, and submits the sign-in step of a paid Google order. */

import type { Order } from "#db/orders/order.ts";
import type { SignInInput } from "#server/catalogue/families/family.ts";
import { checkGoogleDomain, signInInputFor } from "#server/catalogue/families/google/domain.ts";
import { answerSignIn } from "#server/fulfilment/sign-in-step.ts";
import { googleAdministratorSchema, googleTransferSchema } from "../families/google/schemas.ts";
import { domainDetailsSchema } from "../forms/schemas.ts";
import { requesterOf } from "../journey/guard.ts";
import { consoleCode, flag, ignoredText } from "./shared/fields.ts";
import { apiLoader, jsonAction, parseOr400, publicAccess, sessionAccess, z } from "./shared/route.ts";
import { answerSignInStep, refusedSignUp, signUpFields, signUpReply } from "./shared/vendor-sign-up.ts";

export const loader = apiLoader(
  {
    summary: "Whether a domain is free at Google (0), not available (1) or to be transferred (2).",
    tag: "Sign-In",
    access: publicAccess,
    limited: true,
    refuses: [502, 503],
    query: z.object({ tenant: domainDetailsSchema.shape.domain, console: consoleCode.optional() }),
    reply: z.object({ status: z.union([z.literal(0), z.literal(1), z.literal(2)]) }),
  },
  async (request, { tenant }) => ({
    status: await checkGoogleDomain(request.context, tenant, request.clientAddress),
  }),
);

export const action = jsonAction(
  {
    summary: "Sets the administrator of a paid Google order, or submits its transfer token.",
    notes:
      "Details that don't match the order are rejected. The password is stored encrypted until used, then deleted.",
    tag: "Sign-In",
    access: sessionAccess,
    refuses: [404, 409],
    idempotent: true,
    alsoGet: true,
    refusedAs: refusedSignUp,
    body: z.object({
      ...signUpFields,
      transferToken: ignoredText.describe("of a domain that comes from another reseller"),
      is_transfer_token_customer: flag.nullish(),
      google_user_created: flag.nullish(),
      password: ignoredText.describe(
        "of the administrator to be made: at least 8 characters, with a lower-case letter, an upper-case letter, a digit and one of @$!%*?&, and no other characters",
      ),
      skuid: ignoredText,
      google_uid: ignoredText,
    }),
    reply: signUpReply,
  },
  (request, sent) =>
    answerSignInStep(request, sent, {
      family: "google",
      saysAnything: sent.username != null || sent.password != null || sent.transferToken != null,
      read: (order) => answersIn(sent, order),
      take: (order, given) =>
        answerSignIn(request.context, {
          ...given,
          orderId: order.id,
          requester: requesterOf(request),
          clientAddress: request.clientAddress,
          now: new Date(),
        }),
    }),
);

/** @throws DomainError bad_request */
function answersIn(
  sent: {
    username?: string | null | undefined;
    password?: string | null | undefined;
    transferToken?: string | null | undefined;
  },
  { details: { google } }: Order,
): SignInInput {
  const domain = google?.domain ?? "";
  if (google?.customerType === "transfer_token") {
    const { transferToken } = parseOr400(googleTransferSchema, {
      mode: "google-transfer",
      transferToken: sent.transferToken ?? undefined,
    });
    return signInInputFor(transferToken);
  }
  const { username, password } = parseOr400(googleAdministratorSchema, {
    mode: "google-new",
    username: sent.username?.replace(`@${domain}`, "") ?? "admin",
    password: sent.password ?? undefined,
  });
  return {
    answers: { mode: "google-new", username },
    secret: { purpose: "sign-in", username: `${username}@${domain}`, value: password },
  };
}
