/**
 * Errors go as their field is typed in, here where React keeps the page; plain pages have enhance/typed-over.ts for it. What the
 * server said of an earlier answer would contradict what is said of the one being typed.
 */
import { createContext, useContext } from "react";

const nothing: ReadonlySet<string> = new Set();

/** The names of the form's fields that were typed in since the server answered. */
export const TypedOver = createContext(nothing);

/** A field's errors as they still stand. */
export function useStandingErrors(): (field: {
  name: string;
  errors?: string[] | undefined;
}) => string[] | undefined {
  const typedOver = useContext(TypedOver);
  return ({ name, errors }) => (typedOver.has(name) ? undefined : errors);
}
