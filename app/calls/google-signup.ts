/** GET and POST /google/signup: checks whether a domain is free, and submits the sign-in step of a paid Google order. */

import type { Order } from "#db/order.ts";
import type { SignInGiven } from "#server/families/family.ts";
import { checkGoogleDomain, signInWith } from "#server/families/google/domain.ts";
import { answerSignIn } from "#server/fulfilment/sign-in.ts";
import { googleAdministratorSchema, googleTransferSchema } from "../families/google/schemas.ts";
import { domainDetailsSchema } from "../forms/schemas.ts";
import { askerOf } from "../journey/guard.ts";
import { consoleCode, flag, note } from "./shared/fields.ts";
import { anybody, apiLoader, jsonAction, parseOr400, signedIn, z } from "./shared/route.ts";
import { refusedSignUp, signUp, signUpFields, signUpReply } from "./shared/sign-up.ts";

export const loader = apiLoader(
  {
    summary: "Whether a domain is free at Google (0), not available (1) or to be transferred (2).",
    tag: "Sign-In",
    access: anybody,
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
    summary: "Says who administers a paid Google order, or hands over its transfer token.",
    notes:
      "What does not fit the order is refused; the password is kept encrypted until it is used, then forgotten.",
    tag: "Sign-In",
    access: signedIn,
    refuses: [404, 409],
    idempotent: true,
    alsoGet: true,
    refusedAs: refusedSignUp,
    body: z.object({
      ...signUpFields,
      transferToken: note.describe("of a domain that comes from another reseller"),
      is_transfer_token_customer: flag.nullish(),
      google_user_created: flag.nullish(),
      password: note.describe(
        "of the administrator to be made: 8 characters or more, with a small letter, a capital, a digit and one of @$!%*?&, and nothing else",
      ),
      skuid: note,
      google_uid: note,
    }),
    reply: signUpReply,
  },
  (request, sent) =>
    signUp(request, sent, {
      family: "google",
      saysAnything: sent.username != null || sent.password != null || sent.transferToken != null,
      read: (order) => answersIn(sent, order),
      take: (order, given) =>
        answerSignIn(request.context, {
          ...given,
          orderId: order.id,
          asker: askerOf(request),
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
): SignInGiven {
  const domain = google?.domain ?? "";
  if (google?.customerType === "transfer_token") {
    const { transferToken } = parseOr400(googleTransferSchema, {
      mode: "google-transfer",
      transferToken: sent.transferToken ?? undefined,
    });
    return signInWith(transferToken);
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
