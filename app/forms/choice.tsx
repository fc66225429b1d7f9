/** One of several choices: a radio button or a box, with its name and what it stands for. */
import type { InputHTMLAttributes, ReactNode } from "react";

/** The loader sends the words, so that the script of the page does not carry them. */
export interface ChoiceLabels {
  value: string;
  title: string;
  hint: string;
}

export interface ChoiceProps extends Omit<InputHTMLAttributes<HTMLInputElement>, "title"> {
  type?: "radio" | "checkbox";
  title: ReactNode;
  hint: ReactNode;
}

export function Choice({ type = "radio", title, hint, ...input }: ChoiceProps) {
  return (
    <label className="choice">
      <input type={type} {...input} />
      <span>
        <strong>{title}</strong>
        <span className="hint">{hint}</span>
      </span>
    </label>
  );
}
