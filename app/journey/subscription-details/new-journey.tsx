/** Step 1 of an order that does not exist yet, with the panel of the coming steps. Every journey uses this screen. */
import type { SubmissionResult } from "@conform-to/react";
import { Callout } from "../../ui/callout.tsx";
import { useTranslate } from "../../ui/text.tsx";
import { JourneyFrame } from "../frame.tsx";
import type { PanelProps } from "../panel.tsx";
import { DetailsForm, type DetailsView } from "./details-form.tsx";

export interface NewJourneyProps extends DetailsView {
  panel: PanelProps;
  lastResult: SubmissionResult<string[]> | undefined;
  /** A hint shown first, with a link to read more. */
  note?: { text: string; href: string } | null;
}

export function NewJourney({ panel, note = null, ...details }: NewJourneyProps) {
  const text = useTranslate();
  return (
    <JourneyFrame panel={panel}>
      {note !== null && (
        <Callout type="success">
          <p>
            <span>{note.text}</span> <a href={note.href}>{text("details.openOrder")}</a>
          </p>
        </Callout>
      )}
      <DetailsForm {...details} />
    </JourneyFrame>
  );
}
