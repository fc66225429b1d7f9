/** Vendor queries that a buyer waits for but does not depend on. Fulfilment deals with whatever is not answered now. */

import { ProviderError } from "#server/integrations/errors.ts";
import type { Context } from "#server/platform/context.ts";

const answerTimeoutMs = 5_000;

/** Returns the vendor's response; null on a time-out or an error. */
export async function answerInTime<Answer>(
  { log }: Pick<Context, "log">,
  question: string,
  answer: Promise<Answer>,
): Promise<Answer | null> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<null>((resolve) => {
    timer = setTimeout(() => {
      log.warn({ question }, "a vendor was not waited for");
      resolve(null);
    }, answerTimeoutMs);
  });
  try {
    return await Promise.race([answer, tooLate]);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    log.warn({ err: error, description: error.description, question }, "a vendor did not answer a question");
    return null;
  } finally {
    clearTimeout(timer);
  }
}
