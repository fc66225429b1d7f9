/**
 * Something to know, in its place on the page, where it stays. An error is told at once to those who listen, and so is what a
 * form has brought about (live); the rest is read where it stands.
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
