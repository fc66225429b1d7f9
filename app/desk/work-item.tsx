/** A work item: its reason as a sentence, the provider's text collapsed, and its actions. */
import { SubmitButton } from "../ui/submit-button.tsx";

/** The provider's original text behind a reason, verbatim. */
export function RawText({ reason }: { reason: { sentence: string; raw: string | null } }) {
  if (reason.raw === null) return null;
  return (
    <details className="raw">
      <summary>Technical details</summary>
      <code>{reason.raw}</code>
    </details>
  );
}

interface ClaimProps {
  /** Path of the queue. */
  action: string;
  item: {
    kind: string;
    key: string;
    name: string;
    taken: { by: string; isYou: boolean } | null;
    acts: readonly { label: string; path: string }[];
  };
  mayTake: boolean;
  isAdmin: boolean;
}

/** Claims or releases an item and links to its staff actions. Posts to the queue from any page. */
export function Claim({ item, mayTake, isAdmin, action }: ClaimProps) {
  const { kind, key, name, taken, acts } = item;
  return (
    <form method="post" action={action} className="row-actions">
      <input type="hidden" name="kind" value={kind} />
      <input type="hidden" name="key" value={key} />
      {taken !== null && <span className="hint">{taken.isYou ? "Assigned to you" : `With ${taken.by}`}</span>}
      {mayTake && taken === null && (
        <SubmitButton variant="quiet" name="intent" value="take">
          Take<span className="visually-hidden"> {name}</span>
        </SubmitButton>
      )}
      {mayTake && taken !== null && (taken.isYou || isAdmin) && (
        <SubmitButton variant="quiet" name="intent" value="release">
          Release<span className="visually-hidden"> {name}</span>
        </SubmitButton>
      )}
      {mayTake &&
        acts.map(({ label, path }) => (
          <a key={path} href={path}>
            {label}
            <span className="visually-hidden"> {name}</span>
          </a>
        ))}
    </form>
  );
}
