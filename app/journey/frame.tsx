/** The frame of every journey: the step beside its panel. And a step's heading, which says where in the journey it stands. */
import { createContext, type ReactNode, useContext } from "react";
import { Panel, type PanelProps } from "./panel.tsx";

/** "Step 2 of 5"; null on a page outside of a journey. */
const PlaceInJourney = createContext<string | null>(null);

export interface JourneyFrameProps {
  panel: PanelProps;
  /** What the browser keeps of the order while it lasts. */
  ordering?: unknown;
  children: ReactNode;
}

export function JourneyFrame({ panel, ordering, children }: JourneyFrameProps) {
  const at = panel.steps.findIndex(({ state }) => state === "current");
  return (
    <div
      className="page journey"
      data-ordering={ordering === undefined ? undefined : JSON.stringify(ordering)}
    >
      <PlaceInJourney.Provider value={at === -1 ? null : `Step ${at + 1} of ${panel.steps.length}`}>
        <div className="step">{children}</div>
      </PlaceInJourney.Provider>
      <Panel {...panel} />
    </div>
  );
}

/** Read as "Step 2 of 5 Create Account": first which step this is, then what it asks. */
export function StepHeading({ children }: { children: ReactNode }) {
  const place = useContext(PlaceInJourney);
  return (
    <h1>
      {place !== null && <span className="place">{place} </span>}
      {children}
    </h1>
  );
}
