/** Badge with a state's label and tone. */
import type { StateTone } from "#server/desk/labels.ts";

export function StateBadge({ tone, children }: { tone: StateTone; children: string }) {
  return <span className={tone === null ? "badge" : `badge ${tone}`}>{children}</span>;
}
