/** Pseudorandom numbers that are the same for the same seed (mulberry32), so that a failure can be repeated. */

/** @returns a function for integers from `from` up to, but excluding, `to` */
export function seededRandom(seed: number): (from: number, to: number) => number {
  let state = seed;
  return (from, to) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return from + Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * (to - from));
  };
}
