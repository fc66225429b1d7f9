/** The landing page's own script. Other pages need not load it. */
import { carousels } from "./carousel.ts";
import { priceCalculator } from "./price-calculator.ts";

carousels(document);
priceCalculator(document);
