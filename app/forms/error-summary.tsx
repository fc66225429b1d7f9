/** What is wrong with a form, at its top, each line a link to its field; takes the focus after a failed post. */
import type { FieldMetadata } from "@conform-to/react";

export interface ErrorSummaryProps {
  form: { errors?: string[] | undefined; errorId: string };
  fields: readonly Pick<FieldMetadata<unknown>, "id" | "errors" | "name">[];
}

export function ErrorSummary({ form, fields }: ErrorSummaryProps) {
  const wrong = fields.filter((field) => field.errors !== undefined && field.errors.length > 0);
  if (wrong.length === 0 && form.errors === undefined) return null;
  return (
    // biome-ignore lint/a11y/noAutofocus: after a failed post the reader must land on what went wrong, also without scripts
    <div className="error-summary" role="alert" id={form.errorId} tabIndex={-1} autoFocus>
      <h2>There is a problem</h2>
      <ul>
        {form.errors?.map((message) => (
          <li key={message}>{message}</li>
        ))}
        {wrong.map((field) => (
          <li key={field.name}>
            <a href={`#${field.id}`}>{field.errors?.[0]}</a>
          </li>
        ))}
      </ul>
    </div>
  );
}
