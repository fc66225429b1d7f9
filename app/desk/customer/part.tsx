/** Frame and time formatting for the sections of a customer's page. */
import type { ReactNode } from "react";
import type { TimeView } from "../view.ts";

/** @param props.none the reason why there is nothing to show; false when there is something */
export function Part({
  title,
  none,
  children,
}: {
  title: string;
  none: string | false;
  children: ReactNode;
}) {
  const id = title.toLowerCase().replaceAll(" ", "-");
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {none === false ? children : <p className="hint">{none}</p>}
    </section>
  );
}

export function Time({ at, none }: { at: TimeView | null; none: string }) {
  return at === null ? none : <time dateTime={at.iso}>{at.text}</time>;
}
