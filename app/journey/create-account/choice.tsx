/** One of the choices of a dialog: a radio button with its name and what it stands for. */
import type { InputHTMLAttributes } from "react";

/** The loader sends the words, so that the script of the page does not carry them. */
export interface ChoiceWords {
  value: string;
  title: string;
  hint: string;
}

export function Choice({ title, hint, ...radio }: ChoiceWords & InputHTMLAttributes<HTMLInputElement>) {
  return (
    <label className="choice">
      <input type="radio" required {...radio} />
      <span>
        <strong>{title}</strong>
        <span className="hint">{hint}</span>
      </span>
    </label>
  );
}
