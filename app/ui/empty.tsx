/** An empty state: why there is nothing, and what to do about it. */
import type { ReactNode } from "react";
import { type Drawing, EmptyDrawing } from "./empty-drawing.tsx";

export function Empty(props: { message: ReactNode; drawing?: Drawing; children?: ReactNode }) {
  const { message, drawing, children } = props;
  return (
    <div className="empty">
      {drawing !== undefined && <EmptyDrawing of={drawing} />}
      <p>{message}</p>
      {children}
    </div>
  );
}
