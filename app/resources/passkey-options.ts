/** POST /passkeys/options: options for creating a passkey or signing with one, requested by enhance/passkeys.ts. */
import { z } from "zod";
import { passkeyCreationOptions, passkeyRequestOptions } from "#server/accounts/passkeys.ts";
import { translate } from "#server/foundation/languages/text.ts";
import { toDomainError } from "#server/platform/to-domain-error.ts";
import { passkeyOptionsSchema } from "../forms/account-schemas.ts";
import { formAction } from "../http/page.ts";
import { requireOwnAccount } from "../http/request-context.ts";

export { postOnly as loader } from "../api/shared/route.ts";

export const action = formAction({
  params: z.unknown(),
  pageless: true,
  schema: passkeyOptionsSchema,
  handler: async (request, _params, { for: purpose }) => {
    const { context, clientAddress, language, log } = request;
    const options =
      purpose === "make"
        ? passkeyCreationOptions(context, requireOwnAccount(request))
        : passkeyRequestOptions(context, clientAddress);
    return options.then(
      (optionsNow) => Response.json(optionsNow),
      (error: unknown) => {
        const refusal = toDomainError(error, log);
        if (refusal === null) throw error;
        return Response.json({ error: translate(language, refusal.descriptor) }, { status: refusal.status });
      },
    );
  },
});
