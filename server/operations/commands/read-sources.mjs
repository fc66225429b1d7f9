/**
 * Loaded first by a thread that runs sources instead of a build, because `--import tsx` applies only to a process's first thread.
 */
import { register } from "tsx/esm/api";

register();
