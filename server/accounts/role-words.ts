/** What a person with a role is called. */
import type { MemberRole } from "#db/tables/enums.ts";

export function withArticle(role: MemberRole): string {
  return `${role === "owner" ? "an" : "a"} ${role}`;
}
