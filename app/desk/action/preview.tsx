/**
 * Second step of an irreversible staff action: its amount, all its effects, and the confirming button, which repeats the amount.
 */
import { Form } from "@remix-run/react";
import type { ActionPreview } from "#server/desk/actions/action.ts";
import { Breakable } from "../../ui/breakable.tsx";
import { Callout } from "../../ui/callout.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";

interface PreviewProps {
  /** Heading of the staff action. */
  label: string;
  about: string;
  back: string;
  preview: ActionPreview;
  /** The input of the first step, sent again. */
  sent: readonly { name: string; value: string }[];
}

export function Preview({ label, about, back, preview, sent }: PreviewProps) {
  const { lead, sum, facts, effects, warning, button, dismiss, confirms } = preview;
  const confirmed = Object.entries(confirms).map(([name, value]) => ({ name, value }));
  return (
    <section className="page narrow">
      <h1>{label}</h1>
      <p>
        <a href={back}>{about}</a>
      </p>
      <Form method="post" className="card confirm">
        <p className="hint">{lead}</p>
        <p className="figure">{sum}</p>
        <dl className="facts ruled">
          {facts.map(({ label: name, value, note }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <Breakable>{value}</Breakable>
                {note !== undefined && <small className="hint">{note}</small>}
              </dd>
            </div>
          ))}
        </dl>
        <ul>
          {effects.map((effect) => (
            <li key={effect}>
              <Breakable>{effect}</Breakable>
            </li>
          ))}
        </ul>
        {warning !== null && <Callout type="due">{warning}</Callout>}
        {[...sent, ...confirmed].map(({ name, value }) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <p className="actions">
          <SubmitButton variant="final">{button}</SubmitButton>
          <SubmitButton variant="quiet" name="intent" value="change">
            Change
          </SubmitButton>{" "}
          <a href={back}>{dismiss}</a>
        </p>
      </Form>
    </section>
  );
}
