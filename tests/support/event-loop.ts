/** Measures whether this process can answer other requests during some work. */

/** Number of event loop turns during the work: only a handful if it blocks. */
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
