/** An amount as formatted by the server, with tabular figures and no line break. */
import type { ReactNode } from "react";

export function Money({ children }: { children: ReactNode }) {
  return <span className="money">{children}</span>;
}
