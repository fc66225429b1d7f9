/** Step 1 of an order that does not exist yet, with the panel of the steps ahead: the same screen in every journey. */
import type { SubmissionResult } from "@conform-to/react";
import { Panel, type PanelProps } from "../../journey/panel.tsx";
import { DetailsForm, type DetailsView } from "./details-form.tsx";

export interface NewJourneyProps extends DetailsView {
  panel: PanelProps;
  lastResult: SubmissionResult<string[]> | undefined;
}

export function NewJourney({ panel, ...details }: NewJourneyProps) {
  return (
    <div className="page journey">
      <div className="step">
        <DetailsForm {...details} />
      </div>
      <Panel {...panel} />
    </div>
  );
}
