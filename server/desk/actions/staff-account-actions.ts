/** Actions on staff accounts. */
import { z } from "zod";
import { staffRoleLabels, staffRoles } from "../roles.ts";
import { addStaff, changeStaffRole, endStaffSessions, removeStaff, resetStaff } from "../staff-accounts.ts";
import { defineAction, nothing } from "./action.ts";
import { staffListSubject, staffSubject } from "./subjects.ts";

const ofPeople = { roles: ["admin"], needsStepUp: true } as const;
const linkLabel = "Share this link securely. It works once, expires in 48 hours and is shown only here:";
const role = z.enum(staffRoles, "Choose a role.");
const roleField = {
  name: "role",
  label: "Role",
  kind: "choice",
  options: staffRoles.map((value) => ({ value, label: staffRoleLabels[value] })),
} as const;

export const addStaffAction = defineAction({
  label: "Add staff",
  explains: "Creates an account and a one-time link to set a password and connect an authenticator app.",
  subject: staffListSubject,
  ...ofPeople,
  asks: z.object({ email: z.email("Enter an email address.").max(254), role }),
  fields: () => [{ name: "email", label: "Email", kind: "email" }, roleField],
  async perform(context, _thing, { email, role }, actor) {
    const { path } = await addStaff(context, { email, role }, actor);
    return { said: `${email} added to staff.`, handOver: { label: linkLabel, path } };
  },
});

export const changeStaffRoleAction = defineAction({
  label: "Change the role",
  explains: "Takes effect on the next page they open.",
  subject: staffSubject,
  ...ofPeople,
  asks: z.object({ role }),
  fields: () => [roleField],
  async perform({ db }, { id, email }, { role }, actor) {
    await changeStaffRole(db, id, role, actor);
    return { said: `The role of ${email} is ${role} now.` };
  },
});

export const endStaffSessionsAction = defineAction({
  label: "End all sessions",
  explains: "Signs them out everywhere immediately.",
  subject: staffSubject,
  ...ofPeople,
  asks: nothing,
  async perform({ db }, { id, email }, _value, actor) {
    await endStaffSessions(db, id, actor);
    return { said: `${email} is signed out everywhere.` };
  },
});

export const resetStaffAction = defineAction({
  label: "Reset password and two-step sign-in",
  explains:
    "For someone who has lost their authenticator app or forgotten their password. Clears both, ends all sessions and creates a one-time setup link. Verify their identity first.",
  subject: staffSubject,
  ...ofPeople,
  asks: nothing,
  async perform(context, { id, email }, _value, actor) {
    const { path } = await resetStaff(context, id, actor);
    return { said: `${email} needs to set up their account again.`, handOver: { label: linkLabel, path } };
  },
});

export const removeStaffAction = defineAction({
  label: "Remove",
  explains: "Deletes the account and ends all sessions. Their actions stay in the audit log.",
  subject: staffSubject,
  ...ofPeople,
  asks: nothing,
  async perform({ db }, { id, email }, _value, actor) {
    await removeStaff(db, id, actor);
    return { said: `${email} is no longer staff.` };
  },
});
