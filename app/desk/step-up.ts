/** Whether a form asks for the second factor again. Separate from step-up-field.tsx, which a browser may load. */
import { hasRecentStepUp } from "#server/desk/sessions.ts";
import type { StaffRequest } from "./route-builders.ts";
import type { StepUpMethod } from "./step-up-field.tsx";

export function stepUpMethodFor({ desk }: Pick<StaffRequest, "desk">): StepUpMethod {
  if (hasRecentStepUp(desk, new Date())) return null;
  return desk.staff.hasSecondFactor ? "code" : "password";
}
