/** A submit button that says it is working while its form is on the way. */
import { useNavigation } from "@remix-run/react";
import type { ReactNode } from "react";

export interface PendingButtonProps {
  children: ReactNode;
  name?: string;
  value?: string;
  /** The name of a radio group: the shared script keeps the button disabled until one of it is chosen. */
  needsChoice?: string;
}

export function PendingButton({ children, name, value, needsChoice }: PendingButtonProps) {
  const busy = useNavigation().state !== "idle";
  return (
    <button
      type="submit"
      name={name}
      value={value}
      data-needs-choice={needsChoice}
      aria-busy={busy || undefined}
      suppressHydrationWarning={needsChoice !== undefined}
    >
      {children}
    </button>
  );
}
