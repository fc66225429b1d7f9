/** The frame of every journey: the step and its side panel. Also a step's heading, which includes its position in the journey. */
import { createContext, type ReactNode, useContext } from "react";
import { Money } from "../ui/money.tsx";
import { useTranslate } from "../ui/text.tsx";
import { isOver, Panel, type PanelProps } from "./panel.tsx";

/** "Step 2 of 5"; null on a page outside of a journey. */
const PlaceInJourney = createContext<string | null>(null);

export interface JourneyFrameProps {
  panel: PanelProps;
  /** The order's data that the browser mirrors to local storage while the order is under way. */
  ordering?: unknown;
  children: ReactNode;
}

export function JourneyFrame({ panel, ordering, children }: JourneyFrameProps) {
  const text = useTranslate();
  const at = panel.steps.findIndex(({ state }) => state === "current");
  // Once everything is done, the next actions are read before the receipt.
  const isLast = isOver(panel.steps);
  return (
    <div
      className="page journey"
      data-ordering={ordering === undefined ? undefined : JSON.stringify(ordering)}
    >
      {!isLast && <Panel {...panel} />}
      <PlaceInJourney.Provider
        value={at === -1 ? null : text("journey.place", { at: at + 1, of: panel.steps.length })}
      >
        <div className="step">{children}</div>
      </PlaceInJourney.Provider>
      {isLast && <Panel {...panel} />}
    </div>
  );
}

/** Announced as "Step 2 of 5 Create Account", so that the position in the journey comes first. */
export function StepHeading({ children }: { children: ReactNode }) {
  const place = useContext(PlaceInJourney);
  return (
    <h1>
      {place !== null && <span className="place">{`${place} `}</span>}
      <span>{children}</span>
    </h1>
  );
}

/**
 * The step's button, at the bottom edge with the order's total.
 * @param total null where there is none yet
 */
export function StepBar({ total, children }: { total: string | null; children: ReactNode }) {
  const text = useTranslate();
  return (
    <div className="bar">
      <span>
        {total !== null && (
          <>
            <span>{`${text("journey.total")} `}</span>
            <b>
              <Money>{total}</Money>
            </b>
          </>
        )}
      </span>
      {children}
    </div>
  );
}
