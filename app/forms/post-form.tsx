/** The one form that React posts: a second press while the first is on its way is no other post, and aborts nothing. */
import { Form, type FormProps, useNavigation } from "@remix-run/react";

export function PostForm({ onSubmit, ...form }: Omit<FormProps, "method">) {
  const isBusy = useNavigation().state !== "idle";
  return (
    <Form
      noValidate
      {...form}
      method="post"
      onSubmit={(event) => {
        if (isBusy) event.preventDefault();
        else onSubmit?.(event);
      }}
    />
  );
}
