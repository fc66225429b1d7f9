/**
 * The messages that an order stores for its buyer: the note while it waits or has stopped, the problem that the sign-in step
 * shows, and what follows the payment.
 */
import type { Order, OrderDetails } from "#db/orders/order.ts";
import type { LanguageId } from "#server/foundation/languages/language.ts";
import { toStoredMessage, translateStored } from "#server/foundation/languages/stored-messages.ts";
import { type MessageDescriptor, msg } from "#server/foundation/languages/text.ts";

type Noted = Pick<Order, "details">;

/** Sets or removes the note. @param note undefined to remove it */
export function withNote({ details }: Noted, note: MessageDescriptor | undefined): { details: OrderDetails } {
  const { note: _, noteMessage: __, ...others } = details;
  if (note === undefined) return { details: others };
  const { text, message } = toStoredMessage(note);
  return { details: { ...others, note: text, noteMessage: message } };
}

export function translateNote(
  language: LanguageId,
  { details: { note, noteMessage } }: Noted,
): string | null {
  return note === undefined ? null : translateStored(language, { text: note, message: noteMessage });
}

/** Sets or removes the sign-in problem. @param problem undefined to remove it */
export function withSignInProblem(
  { details }: Noted,
  problem: MessageDescriptor | undefined,
): { details: OrderDetails } {
  const { signInProblem: _, signInProblemMessage: __, ...others } = details;
  if (problem === undefined) return { details: others };
  const { text, message } = toStoredMessage(problem);
  return { details: { ...others, signInProblem: text, signInProblemMessage: message } };
}

export function translateSignInProblem(language: LanguageId, { details }: Noted): string | null {
  const { signInProblem, signInProblemMessage } = details;
  if (signInProblem === undefined) return null;
  return translateStored(language, { text: signInProblem, message: signInProblemMessage });
}

/** Returns the sentence about a paid order's next step, for messages about its payment. */
export function afterPayment({ fulfilmentStatus }: Pick<Order, "fulfilmentStatus">): MessageDescriptor {
  return msg(fulfilmentStatus === "waiting_for_signin" ? "paying.orderWaits" : "paying.orderGoesOn");
}
