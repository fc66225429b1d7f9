/**
 * The small script every page shares. It makes plain pages nicer and is never needed: copy buttons, popups, pages that
 * refresh while they wait, links that open in a small window.
 */
import { copyButtons } from "./copy.ts";
import { gstChoice } from "./gst-choice.ts";
import { waitingPages } from "./waiting.ts";

copyButtons(document);
gstChoice(document);
waitingPages(document);
