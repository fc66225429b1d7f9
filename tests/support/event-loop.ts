/** Whether this process can answer others while something is made. */

/** Returns how often the event loop came round meanwhile: a handful of times for work that keeps it to itself. */
export async function turnsDuring(make: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isDone = false;
  const count = () => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  await make().finally(() => {
    isDone = true;
  });
  return turns;
}
