/** Sixty lives of a subscription (`npm run drill`). */
import { proveLives } from "./lives.ts";

proveLives(60);
