/** Whether a form asks for the second factor again. Apart from step-up-field.tsx, which a browser may load. */
import { isSteppedUp } from "#server/desk/sessions.ts";
import type { DeskRequest } from "./door.ts";
import type { ShownAgain } from "./step-up-field.tsx";

export function shownAgainTo({ desk }: Pick<DeskRequest, "desk">): ShownAgain {
  if (isSteppedUp(desk, new Date())) return null;
  return desk.staff.hasSecondFactor ? "code" : "password";
}
