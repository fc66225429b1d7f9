/** One of several choices: a radio button or checkbox, with its name and description. */
import type { InputHTMLAttributes, ReactNode } from "react";

/** Sent by the loader, so that the page's script does not contain the texts. */
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
