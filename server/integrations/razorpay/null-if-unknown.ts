/** Detects Razorpay's response to an id that the account does not know. */
import { ProviderError } from "../errors.ts";

/**
 * @returns null for an id that the account does not know, for which Razorpay responds with 400. @throws ProviderError otherwise
 */
export async function nullIfUnknown<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ProviderError && error.status === 400) return null;
    throw error;
  }
}
