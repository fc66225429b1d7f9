/** A form's errors, listed at its top with a link to each field. Takes the focus after a failed post. */
import type { FieldMetadata } from "@conform-to/react";
import { useEffect, useRef } from "react";
import { useTranslate } from "../ui/text.tsx";
import { useCurrentErrors } from "./edited-fields.ts";

export interface ErrorSummaryProps {
  form: { errors?: string[] | undefined; errorId: string };
  fields: readonly Pick<FieldMetadata<unknown>, "id" | "errors" | "name">[];
}

export function ErrorSummary({ form, fields }: ErrorSummaryProps) {
  const standingErrors = useCurrentErrors();
  const problemsOf = (errorsOf: (field: (typeof fields)[number]) => string[] | undefined) => [
    ...(form.errors ?? []).map((message) => ({ message, href: null })),
    ...fields.flatMap((field) =>
      (errorsOf(field) ?? []).slice(0, 1).map((message) => ({ message, href: `#${field.id}` })),
    ),
  ];
  const problems = problemsOf(standingErrors);
  if (problems.length === 0) return null;
  // A different set of problems remounts the summary, which then takes the focus again. An error cleared by typing does not
  // move the focus.
  const key = problemsOf(({ errors }) => errors)
    .map(({ message }) => message)
    .join("\n");
  return <Summary key={key} id={form.errorId} problems={problems} />;
}

function Summary({ id, problems }: { id: string; problems: { message: string; href: string | null }[] }) {
  const text = useTranslate();
  const summary = useRef<HTMLDivElement>(null);
  useEffect(() => summary.current?.focus(), []);
  const mark = text("forms.errorTitle");
  useEffect(() => markTitle(mark), [mark]);
  return (
    // biome-ignore lint/a11y/noAutofocus: after a failed post the reader must land on what went wrong, also without scripts
    <div ref={summary} className="error-summary" role="alert" id={id} tabIndex={-1} autoFocus>
      <h2>{text("forms.problem")}</h2>
      <ul>
        {problems.map(({ message, href }) => (
          <li key={`${href} ${message}`}>{href === null ? message : <a href={href}>{message}</a>}</li>
        ))}
      </ul>
    </div>
  );
}

/**
 * Prefixes the document's title with a mark while there are errors, as the server does (ui/head.ts).
 * @returns the function that removes it
 */
function markTitle(mark: string): () => void {
  const unmark = () => {
    document.title = document.title.replace(mark, "");
  };
  unmark();
  document.title = mark + document.title;
  return unmark;
}
