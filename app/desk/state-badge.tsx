/** A state in its words, with the look of how it stands. */
import type { StateTone } from "#server/desk/labels.ts";

export function StateBadge({ tone, children }: { tone: StateTone; children: string }) {
  return <span className={tone === null ? "badge" : `badge ${tone}`}>{children}</span>;
}
