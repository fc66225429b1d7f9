/** A form's message when it could not be sent, or when a fault of ours stopped it. "{error}" stands for the reason. */
export const failureWords = {
  forgotPassword: "An error occurred: {error}",
  createAccount: "Error creating account: {error}",
  orderDetails: "Error making POST request: {error}",
} as const;

/** The same message for a fault of ours. Details go to the log only. */
export function brokenWords(words: string): string {
  return words.replace("{error}", "the fault is ours. Please try again in a minute.");
}
