/**
 * The one form that React submits. A second press during a submission neither posts again nor aborts the first. Errors clear
 * as their field is edited.
 */
import { Form, type FormProps, useActionData, useNavigation } from "@remix-run/react";
import { type FormEvent, useState } from "react";
import { TypedOver } from "./edited-fields.ts";

export function PostForm({ onSubmit, ...form }: Omit<FormProps, "method">) {
  const isBusy = useNavigation().state !== "idle";
  const answer = useActionData();
  const [typed, setTyped] = useState({ since: answer, names: new Set<string>() });
  // A later response already covers earlier input.
  const names = typed.since === answer ? typed.names : new Set<string>();
  const typeOver = ({ target }: FormEvent) => {
    const name = target instanceof Element ? target.getAttribute("name") : null;
    if (name !== null && !names.has(name)) setTyped({ since: answer, names: new Set(names).add(name) });
  };
  return (
    <TypedOver.Provider value={names}>
      <Form
        noValidate
        onInput={typeOver}
        {...form}
        method="post"
        onSubmit={(event) => {
          if (isBusy) event.preventDefault();
          else onSubmit?.(event);
        }}
      />
    </TypedOver.Provider>
  );
}
