/**
 * Clears errors as their field is edited, where React controls the page (enhance/clear-errors-on-edit.ts does it on plain pages). An
 * error about an earlier answer would contradict the one being typed.
 */
import { createContext, useContext } from "react";

const nothing: ReadonlySet<string> = new Set();

/** Names of the form's fields that were edited since the server answered. */
export const TypedOver = createContext(nothing);

/** A field's errors that still apply. */
export function useCurrentErrors(): (field: {
  name: string;
  errors?: string[] | undefined;
}) => string[] | undefined {
  const typedOver = useContext(TypedOver);
  return ({ name, errors }) => (typedOver.has(name) ? undefined : errors);
}
