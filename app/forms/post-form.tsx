/**
 * The one form that React posts: a second press while the first is on its way is no other post, and aborts nothing; an error goes
 * as its field is typed in.
 */
import { Form, type FormProps, useActionData, useNavigation } from "@remix-run/react";
import { type FormEvent, useState } from "react";
import { TypedOver } from "./typed-over.ts";

export function PostForm({ onSubmit, ...form }: Omit<FormProps, "method">) {
  const isBusy = useNavigation().state !== "idle";
  const answer = useActionData();
  const [typed, setTyped] = useState({ since: answer, names: new Set<string>() });
  // What the server has said since is about what was typed.
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
