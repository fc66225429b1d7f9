/** Acts on the accounts of staff. */
import { z } from "zod";
import { addStaff, changeStaffRole, endStaffSessions, removeStaff, resetStaff } from "../accounts.ts";
import { roleWords, staffRoles } from "../roles.ts";
import { act, nothing } from "./act.ts";
import { staffListSubject, staffSubject } from "./subjects.ts";

const ofPeople = { roles: ["admin"], needsStepUp: true } as const;
const linkLabel = "Hand this link over. It works once, for 48 hours, and is shown here only:";
const role = z.enum(staffRoles, "Choose a role.");
const roleField = {
  name: "role",
  label: "Role",
  kind: "choice",
  options: staffRoles.map((value) => ({ value, label: roleWords[value] })),
} as const;

export const addStaffAct = act({
  label: "Add somebody",
  explains:
    "Makes an account and a one-time link, with which its owner chooses a password and connects an authenticator app.",
  subject: staffListSubject,
  ...ofPeople,
  asks: z.object({ email: z.email("Enter an email address.").max(254), role }),
  fields: () => [{ name: "email", label: "Email", kind: "email" }, roleField],
  async perform(context, _thing, { email, role }, performer) {
    const { path } = await addStaff(context, { email, role }, performer);
    return { said: `${email} is staff.`, handOver: { label: linkLabel, path } };
  },
});

export const changeRoleAct = act({
  label: "Change the role",
  explains: "Takes effect at the next page they open.",
  subject: staffSubject,
  ...ofPeople,
  asks: z.object({ role }),
  fields: () => [roleField],
  async perform({ db }, { id, email }, { role }, performer) {
    await changeStaffRole(db, id, role, performer);
    return { said: `The role of ${email} is ${role} now.` };
  },
});

export const endSessionsAct = act({
  label: "End all sessions",
  explains: "Signs them out everywhere, at once.",
  subject: staffSubject,
  ...ofPeople,
  asks: nothing,
  async perform({ db }, { id, email }, _value, performer) {
    await endStaffSessions(db, id, performer);
    return { said: `${email} is signed out everywhere.` };
  },
});

export const resetStaffAct = act({
  label: "Reset password and second factor",
  explains:
    "For somebody who has lost their authenticator app or forgotten their password. Both end, with every session, and a one-time link sets them anew. Make sure first that it is they who ask.",
  subject: staffSubject,
  ...ofPeople,
  asks: nothing,
  async perform(context, { id, email }, _value, performer) {
    const { path } = await resetStaff(context, id, performer);
    return { said: `${email} has to set the account up again.`, handOver: { label: linkLabel, path } };
  },
});

export const removeStaffAct = act({
  label: "Remove",
  explains: "Ends the account with every session. What they did stays in the audit log.",
  subject: staffSubject,
  ...ofPeople,
  asks: nothing,
  async perform({ db }, { id, email }, _value, performer) {
    await removeStaff(db, id, performer);
    return { said: `${email} is no longer staff.` };
  },
});
