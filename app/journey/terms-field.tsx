/** The terms of an order and their checkbox: in the review, and on the plain pages that pay or forward the order. */
import type { FieldMetadata } from "@conform-to/react";
import { FieldError } from "../forms/field.tsx";
import { useTranslate } from "../ui/text.tsx";

export interface Term {
  text: string;
  href?: string;
}

export function TermsField({ field, terms }: { field: FieldMetadata<string>; terms: Term[] }) {
  return (
    <>
      <TermsList terms={terms} />
      <AcceptBox field={field} />
    </>
  );
}

export function TermsList({ terms }: { terms: Term[] }) {
  return (
    <ul className="terms">
      {terms.map((term) => (
        <li key={term.text}>{term.href === undefined ? term.text : <a href={term.href}>{term.text}</a>}</li>
      ))}
    </ul>
  );
}

export function AcceptBox({ field }: { field: FieldMetadata<string> }) {
  const text = useTranslate();
  return (
    <>
      <FieldError field={field} />
      <label className="choice">
        <input
          type="checkbox"
          id={field.id}
          name={field.name}
          aria-describedby={field.errors === undefined ? undefined : field.errorId}
        />
        <span>{text("review.accept")}</span>
      </label>
    </>
  );
}
