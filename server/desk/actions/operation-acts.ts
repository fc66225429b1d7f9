/** Actions on operations: mails, suppressions, jobs, and vendor pauses. */
import { requestProbe } from "#server/fulfilment/pause.ts";
import {
  jobRunningMessage,
  noFailedJobsMessage,
  readFailedKinds,
  retryFailedJobs,
  retryJob,
} from "../jobs.ts";
import { liftSuppression, resendMail, whyNotResent } from "../mail-log.ts";
import { editorRoles } from "../roles.ts";
import { defineAction, nothing } from "./action.ts";
import { jobKindSubject, jobSubject, mailSubject, pauseSubject, suppressionSubject } from "./subjects.ts";

/** None of these moves money or changes permissions. */
const common = { roles: editorRoles, needsStepUp: false, asks: nothing } as const;

export const resendLoggedMailAct = defineAction({
  label: "Resend",
  explains: "Resends this email to the same address, with new links.",
  subject: mailSubject,
  ...common,
  whyNot: (mail, { db }) => whyNotResent(db, mail),
  async perform({ db }, { id }, _value, actor) {
    await resendMail(db, id, actor);
    return { said: "Email queued to resend." };
  },
});

export const liftSuppressionAct = defineAction({
  label: "Lift the suppression",
  explains:
    "Allows emails to this address again. Emails that were held back aren't sent automatically: resend the ones that matter from the log.",
  subject: suppressionSubject,
  ...common,
  reason: { label: "Why the address is valid", hint: "Kept in the audit log." },
  async perform({ db }, { email }, _value, actor) {
    await liftSuppression(db, email, actor);
    return { said: `Emails to ${email} are allowed again.` };
  },
});

export const retryJobAct = defineAction({
  label: "Try again now",
  explains: "Runs this job now, with a new set of tries.",
  subject: jobSubject,
  ...common,
  whyNot: ({ state }) => (state === "running" ? jobRunningMessage : null),
  async perform({ db }, { id }, _value, actor) {
    await retryJob(db, id, actor);
    return { said: "Job queued to run now." };
  },
});

export const retryFailedJobsAct = defineAction({
  label: "Retry all failed jobs",
  explains: "Runs all failed jobs of this type now, each with a new set of tries.",
  subject: jobKindSubject,
  ...common,
  reason: { label: "What you fixed", hint: "Kept in the audit log." },
  whyNot: async (name, { db }) =>
    (await readFailedKinds(db)).some((kind) => kind.name === name) ? null : noFailedJobsMessage,
  async perform({ db }, name, _value, actor) {
    const count = await retryFailedJobs(db, name, actor);
    return { said: count === 1 ? "One job is due now." : `${count} jobs are due now.` };
  },
});

export const probeVendorAct = defineAction({
  label: "Check again now",
  explains:
    "Checks now whether the vendor accepts orders again (the store also checks every few minutes). If it does, one order goes first and the rest follow.",
  subject: pauseSubject,
  ...common,
  reason: { label: "What you fixed", hint: "Kept in the audit log." },
  async perform({ db }, { account }, _value, actor) {
    await requestProbe(db, account, actor);
    return { said: "Checking with the vendor." };
  },
});
