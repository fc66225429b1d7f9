/**
 * A message that stays in its place on the page. Screen readers announce errors at once, and the result of a form (live)
 * politely. Other callouts are read in place.
 */
import type { ReactNode } from "react";
import { Icon } from "./icons.tsx";

const signs = { error: "alert", success: "tick", info: "info", due: "clock" } as const;

export interface CalloutProps {
  /** "due" marks deadlines: something ends, waits or must be done soon. */
  type: keyof typeof signs;
  live?: boolean;
  children: ReactNode;
}

export function Callout({ type, live = false, children }: CalloutProps) {
  const role = type === "error" ? "alert" : live ? "status" : undefined;
  return (
    <div className={`notice ${type}`} role={role}>
      <Icon name={signs[type]} size={20} />
      <div>{children}</div>
    </div>
  );
}
