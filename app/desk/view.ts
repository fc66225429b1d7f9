/** Shared view models of Desk pages: the header's data, times and ages. */
import { standardCountry } from "#server/foundation/countries/registry.ts";
import { dateView, formatTime } from "#server/orders/subscriptions/dates.ts";

export interface DeskLink {
  label: string;
  href: string;
  group: "Work" | "Money" | "System";
  icon: string;
  /** Number of work items, such as "99+"; null for none, and for pages without a count. */
  count: string | null;
  /** Whether the link is the open page or its section; null for neither. */
  current: "page" | "section" | null;
}

/** Data of the sidebar. */
export interface HeaderView {
  email: string;
  role: string;
  links: DeskLink[];
}

export interface TimeView {
  iso: string;
  text: string;
}

/** "25th November 2026, 2:03 pm", in the store's own time zone. */
export function timeView(at: Date): TimeView {
  const { text } = dateView(at, standardCountry);
  return { iso: at.toISOString(), text: `${text}, ${formatTime(at, standardCountry)}` };
}

const units = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;

export const justNow = "just now";

/** Waiting time, such as "3 days" or "1 hour". */
export function ageText(since: Date, now = new Date()): string {
  const ms = Math.max(0, now.getTime() - since.getTime());
  for (const [unit, length] of units) {
    const count = Math.floor(ms / length);
    if (count > 0) return `${count} ${unit}${count === 1 ? "" : "s"}`;
  }
  return justNow;
}
