/** An amount, as the server has formatted it: figures of one width, never broken over two lines. */
import type { ReactNode } from "react";

export function Money({ children }: { children: ReactNode }) {
  return <span className="money">{children}</span>;
}
