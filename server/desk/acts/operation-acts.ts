/** Acts on what runs the store: mails, addresses that nothing is sent to, jobs, and vendors that are paused. */
import { probeNow } from "#server/fulfilment/pause.ts";
import { isRunning, noneFailed, readFailedKinds, retryFailedJobs, retryJob } from "../jobs.ts";
import { liftSuppression, resendMail, whyNotResent } from "../mail-log.ts";
import { actingRoles } from "../roles.ts";
import { act, nothing } from "./act.ts";
import { jobKindSubject, jobSubject, mailSubject, pauseSubject, suppressionSubject } from "./subjects.ts";

/** None of them moves money or changes who may do what. */
const common = { roles: actingRoles, needsStepUp: false, asks: nothing } as const;

export const resendLoggedMailAct = act({
  label: "Resend",
  explains: "Sends this mail once more to the same address. Links in it are made anew.",
  subject: mailSubject,
  ...common,
  hindrance: (mail, { db }) => whyNotResent(db, mail),
  async perform({ db }, { id }, _value, performer) {
    await resendMail(db, id, performer);
    return { said: "The mail is on its way again." };
  },
});

export const liftSuppressionAct = act({
  label: "Lift the suppression",
  explains:
    "Lets mails be sent to this address again. What was not sent meanwhile is not sent by itself: resend what matters from the log.",
  subject: suppressionSubject,
  ...common,
  reason: { label: "Why the address is right", hint: "Stays in the audit log." },
  async perform({ db }, { email }, _value, performer) {
    await liftSuppression(db, email, performer);
    return { said: `Mails are sent to ${email} again.` };
  },
});

export const retryJobAct = act({
  label: "Try again now",
  explains: "Lets a worker take this job at once, with all its tries anew.",
  subject: jobSubject,
  ...common,
  hindrance: ({ state }) => (state === "running" ? isRunning : null),
  async perform({ db }, { id }, _value, performer) {
    await retryJob(db, id, performer);
    return { said: "The job is due now." };
  },
});

export const retryFailedJobsAct = act({
  label: "Try all failed ones again",
  explains: "Lets workers take every failed job of this kind at once, each with all its tries anew.",
  subject: jobKindSubject,
  ...common,
  reason: { label: "What was put right", hint: "Stays in the audit log." },
  hindrance: async (name, { db }) =>
    (await readFailedKinds(db)).some((kind) => kind.name === name) ? null : noneFailed,
  async perform({ db }, name, _value, performer) {
    const count = await retryFailedJobs(db, name, performer);
    return { said: count === 1 ? "One job is due now." : `${count} jobs are due now.` };
  },
});

export const probeVendorAct = act({
  label: "Look again now",
  explains:
    "Asks the vendor at once whether it takes orders again, which the store does every few minutes by itself. If it does, one order goes ahead, and the others follow it.",
  subject: pauseSubject,
  ...common,
  reason: { label: "What was put right", hint: "Stays in the audit log." },
  async perform({ db }, { account }, _value, performer) {
    await probeNow(db, account, performer);
    return { said: "The vendor is being asked." };
  },
});
