/** How Razorpay says that an account does not know an id. */
import { ProviderError } from "../errors.ts";

/** @returns null for an id that is unknown to the account, for which Razorpay answers 400. @throws ProviderError otherwise */
export async function nullIfUnknown<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ProviderError && error.status === 400) return null;
    throw error;
  }
}
