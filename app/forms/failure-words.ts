/** What a form says when it could not be sent, or a fault of ours stopped it; "{error}" stands for what went wrong. */
export const failureWords = {
  forgotPassword: "An error occurred: {error}",
  createAccount: "Error creating account: {error}",
  orderDetails: "Error making POST request: {error}",
} as const;

/** The same words for a fault of ours, whose details are the log's alone. */
export function brokenWords(words: string): string {
  return words.replace("{error}", "the fault is ours. Please try again in a minute.");
}
