/** The landing page's own script. Other pages need not load it. */
import { turningRows } from "./carousel.ts";
import { liveCost } from "./cost.ts";

turningRows(document);
liveCost(document);
