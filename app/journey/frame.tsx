/** The frame of every journey: the step beside its panel. Also a step's heading, which says its place in the journey. */
import { createContext, type ReactNode, useContext } from "react";
import { Panel, type PanelProps } from "./panel.tsx";

/** "Step 2 of 5"; null on a page outside of a journey. */
const PlaceInJourney = createContext<string | null>(null);

export interface JourneyFrameProps {
  panel: PanelProps;
  /** The order's data that the browser mirrors to local storage while the order is under way. */
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

/** Read out as "Step 2 of 5 Create Account", so that the place in the journey comes first. */
export function StepHeading({ children }: { children: ReactNode }) {
  const place = useContext(PlaceInJourney);
  return (
    <h1>
      {place !== null && <span className="place">{place} </span>}
      {children}
    </h1>
  );
}
