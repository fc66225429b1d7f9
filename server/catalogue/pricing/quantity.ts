/** Validates quantities of seats, with the messages for the buyer. */
import { wrongField } from "#server/foundation/errors.ts";
import { type MessageDescriptor, msg } from "#server/foundation/languages/text.ts";

/** The only message for a number that is missing, invalid or not above 0 (docs/specification.md, section 5). */
export const quantityRequired = msg("fields.quantity");

export interface SeatLimits {
  /** Minimum seats of one order; 1 by default. */
  minSeats?: number;
  /** Maximum seats of the customer; `null` or left out for no limit. */
  maxSeats?: number | null;
  /** Seats already held, when more are bought. They count towards the maximum. */
  heldSeats?: number;
}

export type QuantityCheck = { ok: true; quantity: number } | { ok: false; message: MessageDescriptor };

/**
 * Parses a quantity from a form or payload: a whole number, or a string of digits. A refusal contains the message to show at the
 * field.
 */
export function checkQuantity(input: unknown, limits: SeatLimits = {}): QuantityCheck {
  const { minSeats = 1, maxSeats = null, heldSeats = 0 } = limits;
  const quantity = readWholeNumber(input);
  if (quantity === null || quantity < 1) return { ok: false, message: quantityRequired };
  // The minimum applies to new subscriptions only: a customer who already has seats may add a single one.
  if (heldSeats === 0 && quantity < minSeats) {
    return { ok: false, message: msg("fields.quantityLeast", { count: minSeats }) };
  }
  if (maxSeats !== null && quantity > maxSeats - heldSeats) {
    return { ok: false, message: tooMany(maxSeats, heldSeats) };
  }
  return { ok: true, quantity };
}

/**
 * Checks a quantity for callers without a form to re-render.
 * @param field the form field or payload key that the message belongs to
 * @throws DomainError bad_request, with the message on `field`
 */
export function requireQuantity(input: unknown, limits: SeatLimits = {}, field = "quantity"): number {
  const checked = checkQuantity(input, limits);
  if (!checked.ok) throw wrongField(field, checked.message);
  return checked.quantity;
}

/** Parses up to nine digits: order_lines.quantity is a 4-byte integer, and more are not a plausible order. */
function readWholeNumber(input: unknown): number | null {
  const value = typeof input === "string" && /^\d{1,9}$/.test(input.trim()) ? Number(input) : input;
  return typeof value === "number" && Number.isInteger(value) && value <= 999_999_999 ? value : null;
}

function tooMany(most: number, held: number): MessageDescriptor {
  if (held === 0) return msg("fields.quantityMost", { count: most });
  const room = Math.max(0, most - held);
  return room === 0
    ? msg("fields.quantityFull", { held, most })
    : msg("fields.quantityHeld", { held, most, room });
}

/** Formats "1 licence", "25 licences" for staff. Buyers read the message orders.licences. */
export function licences(count: number): string {
  return count === 1 ? "1 license" : `${count} licenses`;
}
