/**
 * The button that sends a form. While the form is on its way it says that it is working; on pages without React the shared
 * script does that (enhance/sending.ts).
 */
import { useNavigation } from "@remix-run/react";
import type { ReactNode } from "react";

export interface SubmitButtonProps {
  children: ReactNode;
  /** Beside a page's main button, or what takes something away. */
  look?: "quiet" | "danger";
  name?: string;
  value?: string;
  /** The name of a radio group: the shared script keeps the button disabled until one of it is chosen. */
  needsChoice?: string;
  /** False while the form cannot be sent as it is; true where no script can tell. */
  isReady?: boolean;
}

export function SubmitButton({
  children,
  look,
  name,
  value,
  needsChoice,
  isReady = true,
}: SubmitButtonProps) {
  const busy = useNavigation().state !== "idle";
  return (
    <button
      type="submit"
      className={look}
      name={name}
      value={value}
      disabled={!isReady}
      data-needs-choice={needsChoice}
      aria-busy={busy || undefined}
      suppressHydrationWarning={needsChoice !== undefined}
    >
      {children}
    </button>
  );
}
