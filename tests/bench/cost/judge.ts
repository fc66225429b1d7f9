/** Measures cases: the cost of one at a size, as the minimum of several repeats where the first is not conclusive. */
import type { Case } from "./cases.ts";
import type { Meter, Spent } from "./meter.ts";
import { send } from "./send.ts";

export interface Cost extends Spent {
  status: number;
}

export const repeats = 5;

export interface Judge {
  once(of: Case, bytes: number): Promise<Cost>;
  /** The minimum of five with the usual status: a rate limit's refusal is cheaper than the limited request. */
  least(of: Case, bytes: number, first: Cost): Promise<Cost>;
}

export function judgeOf(origin: string, meter: Meter): Judge {
  const once = async ({ make }: Case, bytes: number): Promise<Cost> => {
    let status = 0;
    const sent = make(bytes);
    const spent = await meter.spentOn(async () => {
      status = await send(origin, sent);
    });
    return { ...spent, status };
  };
  return {
    once,
    async least(of, bytes, first) {
      const costs = [first];
      while (costs.length < repeats) {
        const next = await once(of, bytes);
        if (next.status !== first.status) break;
        costs.push(next);
      }
      return {
        status: first.status,
        web: Math.min(...costs.map(({ web }) => web)),
        database: Math.min(...costs.map(({ database }) => database)),
      };
    },
  };
}
