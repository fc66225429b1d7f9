/**
 * The small script that every page shares. It improves plain pages and is never required: copy buttons, popups, waiting pages
 * that move on, domain checks while typing, errors that clear when their field is edited, notifications that close,
 * carousels, the session watch, and feedback while a page or form is loading.
 */
import { turningRows } from "./carousel.ts";
import { copyButtons } from "./copy.ts";
import { digitFields } from "./digits.ts";
import { domainCheck } from "./domain-check.ts";
import { gstChoice } from "./gst-choice.ts";
import { leavingPages } from "./leaving.ts";
import { notices } from "./notices.ts";
import { offlinePage } from "./offline-page.ts";
import { phoneFields } from "./phone.ts";
import { popups } from "./popup.ts";
import { prefixCheck } from "./prefix-check.ts";
import { sendingForms } from "./sending.ts";
import { sessionWatch } from "./session-watch.ts";
import { summaryLinks } from "./summary-links.ts";
import { typedOverErrors } from "./typed-over.ts";
import { waitingPages } from "./waiting.ts";

copyButtons(document);
digitFields(document);
domainCheck(document);
gstChoice(document);
leavingPages(document);
notices(document);
offlinePage();
phoneFields(document);
popups(document);
prefixCheck(document);
sendingForms(document);
sessionWatch(document);
summaryLinks(document);
typedOverErrors(document);
turningRows(document);
waitingPages(document);

// CSS shows elements that need scripts only with this class.
document.documentElement.classList.add("scripts");
