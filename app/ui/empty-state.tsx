/** An empty state: why there is nothing, and what to do about it. */
import type { ReactNode } from "react";
import { EmptyStateIllustration, type Illustration } from "./empty-state-illustration.tsx";

export function EmptyState(props: { message: ReactNode; drawing?: Illustration; children?: ReactNode }) {
  const { message, drawing, children } = props;
  return (
    <div className="empty">
      {drawing !== undefined && <EmptyStateIllustration of={drawing} />}
      <p>{message}</p>
      {children}
    </div>
  );
}
