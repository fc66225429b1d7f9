/**
 * A message that stays in its place on the page. Screen readers announce errors at once, and the result of a form (live)
 * politely. Other callouts are read in place.
 */
import type { ReactNode } from "react";

export interface CalloutProps {
  type: "error" | "success" | "info";
  live?: boolean;
  children: ReactNode;
}

export function Callout({ type, live = false, children }: CalloutProps) {
  const role = type === "error" ? "alert" : live ? "status" : undefined;
  return (
    <div className={`notice ${type}`} role={role}>
      {children}
    </div>
  );
}
