/** A formatted day from the server, with a machine-readable date for programs and translators. */
export interface DateView {
  /** "2025-03-03", or with a time when it has one. */
  iso: string;
  /** "3rd March 2025" */
  text: string;
}

export function DateText({ iso, text }: DateView) {
  return <time dateTime={iso}>{text}</time>;
}
