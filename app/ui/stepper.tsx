/**
 * A number between two buttons that count it down and up (enhance/stepper.ts). Without scripts the buttons are left out and the
 * number is typed.
 */
import type { ReactNode } from "react";
import { Icon } from "./icons.tsx";

export interface StepperLabels {
  /** Label of the button that subtracts one. */
  less: string;
  /** Label of the button that adds one. */
  more: string;
}

/** @param children the one input, whose `min` and `max` apply */
export function Stepper({ less, more, children }: StepperLabels & { children: ReactNode }) {
  return (
    <span className="stepper">
      <button type="button" className="needs-scripts" aria-label={less} data-count={-1}>
        <Icon name="minus" size={20} />
      </button>
      {children}
      <button type="button" className="needs-scripts" aria-label={more} data-count={1}>
        <Icon name="plus" size={20} />
      </button>
    </span>
  );
}
