/**
 * The small script that every page shares. It improves plain pages and is never required: copy buttons, popups, waiting pages
 * that move on, errors that clear when their field is edited, notifications that close, counting buttons, the session watch,
 * and feedback while a page or form is loading. home.ts is only for the landing page, search.ts for results, and order-steps.ts for an order's steps.
 */

import { clearErrorsOnEdit } from "./clear-errors-on-edit.ts";
import { copyButtons } from "./copy.ts";
import { digitFields } from "./digits.ts";
import { notificationBanners } from "./notification-banners.ts";
import { offlinePage } from "./offline-page.ts";
import { pageLoadProgress } from "./page-load-progress.ts";
import { phoneFields } from "./phone.ts";
import { popups } from "./popup.ts";
import { deferredScripts } from "./scripts-after-paint.ts";
import { sessionWatch } from "./session-watch.ts";
import { statusPolling } from "./status-polling.ts";
import { steppers } from "./stepper.ts";
import { submitProgress } from "./submit-progress.ts";
import { summaryLinks } from "./summary-links.ts";

copyButtons(document);
digitFields(document);
pageLoadProgress(document);
notificationBanners(document);
offlinePage();
phoneFields(document);
popups(document);
deferredScripts(document);
submitProgress(document);
sessionWatch(document);
steppers(document);
summaryLinks(document);
clearErrorsOnEdit(document);
statusPolling(document);

// CSS shows elements that need scripts only with this class.
document.documentElement.classList.add("scripts");
