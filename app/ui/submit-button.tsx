/**
 * A form's submit button. It shows progress during the submission. On pages without React the shared script does that
 * (enhance/submit-progress.ts).
 */
import { useNavigation } from "@remix-run/react";
import type { ReactNode } from "react";

export interface SubmitButtonProps {
  children: ReactNode;
  /** Style: quiet for secondary buttons, danger for removals, wide for a full-width one, final for the last step of a refund. */
  variant?: "quiet" | "danger" | "wide" | "final";
  name?: string;
  value?: string;
  /** False while the form is not ready to be sent. True where no script can tell. */
  isReady?: boolean;
}

export function SubmitButton({ children, variant, name, value, isReady = true }: SubmitButtonProps) {
  const busy = useNavigation().state !== "idle";
  return (
    <button
      type="submit"
      className={variant}
      name={name}
      value={value}
      disabled={!isReady}
      aria-busy={busy || undefined}
    >
      {children}
    </button>
  );
}
