/** Script of the landing page only. */
import { carousels } from "./carousel.ts";
import { priceCalculator } from "./price-calculator.ts";

carousels(document);
priceCalculator(document);
