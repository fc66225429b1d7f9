/** Fifteen lives of a subscription: the short form of lives.drill.ts. */
import { proveLives } from "./lives.ts";

proveLives(15);
