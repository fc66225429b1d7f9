/** An empty state: why there is nothing, and what to do about it. */
import type { ReactNode } from "react";

export function Empty({ message, children }: { message: ReactNode; children?: ReactNode }) {
  return (
    <div className="empty">
      <p>{message}</p>
      {children}
    </div>
  );
}
