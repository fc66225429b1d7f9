/** Loaded first by a thread that runs sources instead of a build: `--import tsx` serves a process's first thread alone. */
import { register } from "tsx/esm/api";

register();
