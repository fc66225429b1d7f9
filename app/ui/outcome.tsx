/** What a form has brought about, in its place on the page. Unlike a notification it stays. */
import type { ReactNode } from "react";

export function Outcome({ message, children }: { message: string; children?: ReactNode }) {
  return (
    <div className="notice success" role="status">
      <p>{message}</p>
      {children}
    </div>
  );
}
