/**
 * The small script that every page shares. It improves plain pages and is never required: copy buttons, popups, waiting pages
 * that move on, errors that clear when their field is edited, notifications that close, counting buttons, the session watch,
 * and feedback while a page or form is loading. home.ts is for the landing page alone, and steps.ts for an order's steps.
 */
import { copyButtons } from "./copy.ts";
import { digitFields } from "./digits.ts";
import { leavingPages } from "./leaving.ts";
import { notices } from "./notices.ts";
import { offlinePage } from "./offline-page.ts";
import { phoneFields } from "./phone.ts";
import { popups } from "./popup.ts";
import { scriptsAfterPaint } from "./scripts-after-paint.ts";
import { sendingForms } from "./sending.ts";
import { sessionWatch } from "./session-watch.ts";
import { steppers } from "./stepper.ts";
import { summaryLinks } from "./summary-links.ts";
import { typedOverErrors } from "./typed-over.ts";
import { waitingPages } from "./waiting.ts";

copyButtons(document);
digitFields(document);
leavingPages(document);
notices(document);
offlinePage();
phoneFields(document);
popups(document);
scriptsAfterPaint(document);
sendingForms(document);
sessionWatch(document);
steppers(document);
summaryLinks(document);
typedOverErrors(document);
waitingPages(document);

// CSS shows elements that need scripts only with this class.
document.documentElement.classList.add("scripts");
