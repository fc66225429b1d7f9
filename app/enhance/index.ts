/**
 * The small script every page shares. It makes plain pages nicer and is never needed: copy buttons, popups, pages that
 * move on when their wait is over, links that open in a small window, a domain checked while it is typed, errors that go as
 * their field is typed in, notifications that close, rows of cards that turn, who is signed in, and what is said while a page or
 * a form is on its way.
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

// What only works with scripts is shown only with scripts.
document.documentElement.classList.add("scripts");
