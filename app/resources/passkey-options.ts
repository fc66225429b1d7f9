/** POST /passkeys/options: what a browser is asked to make, or to sign. Asked by enhance/passkeys.ts. */
import { z } from "zod";
import { passkeyToMake, passkeyToSignIn } from "#server/accounts/passkeys.ts";
import { tell } from "#server/languages/text.ts";
import { refusalOf } from "#server/refusal.ts";
import { passkeyOptionsSchema } from "../forms/schemas.ts";
import { formAction } from "../http/page.ts";
import { requireOwnAccount } from "../http/request-context.ts";

export { postOnly as loader } from "../calls/shared/route.ts";

export const action = formAction({
  params: z.unknown(),
  pageless: true,
  schema: passkeyOptionsSchema,
  handler: async (request, _params, { for: purpose }) => {
    const { context, clientAddress, language, log } = request;
    const options =
      purpose === "make"
        ? passkeyToMake(context, requireOwnAccount(request))
        : passkeyToSignIn(context, clientAddress);
    return options.then(
      (asked) => Response.json(asked),
      (error: unknown) => {
        const refusal = refusalOf(error, log);
        if (refusal === null) throw error;
        return Response.json({ error: tell(language, refusal.told) }, { status: refusal.status });
      },
    );
  },
});
