/** Fifteen lives of a subscription: the short form of lives.drill.ts. */
import { proveLives } from "./lifecycles.ts";

proveLives(15);
