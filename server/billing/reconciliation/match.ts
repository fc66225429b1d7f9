/** Pairs what buyers paid for with what vendors billed for it (docs/decisions/books.md#reconciliation). */

interface Matched {
  /** Null when it is unknown here, which pairs with nothing. */
  subscriptionId: string | null;
  kind: string;
  seats: number;
}

/** A charge that a vendor must bill because of a paid order. */
export interface Charge extends Matched {
  /** Range in which the charge begins, inclusive. */
  from: Date;
  to: Date;
}

/** A line of a bill. */
export interface Billed extends Matched {
  startsAt: Date;
}

export interface Pairing<C, B> {
  pairs: { charge: C; line: B }[];
  /** Paid charges without a line. */
  unbilled: C[];
  /** Lines without a paid charge. */
  unpaid: B[];
}

/**
 * Pairs each charge with one line of its subscription and kind that begins in its range: first lines with the same number of
 * seats, then any; of several, the one that begins closest.
 */
export function pairCharges<C extends Charge, B extends Billed>(
  charges: readonly C[],
  lines: readonly B[],
): Pairing<C, B> {
  const bySubscription = new Map<string, B[]>();
  for (const line of lines) {
    if (line.subscriptionId === null) continue;
    const key = `${line.subscriptionId}:${line.kind}`;
    bySubscription.set(key, [...(bySubscription.get(key) ?? []), line]);
  }
  const taken = new Map<C, B>();
  const used = new Set<B>();
  const pair = (isFit: (charge: C, line: B) => boolean) => {
    for (const charge of charges) {
      if (taken.has(charge) || charge.subscriptionId === null) continue;
      const fitting = (bySubscription.get(`${charge.subscriptionId}:${charge.kind}`) ?? []).filter(
        (line) =>
          !used.has(line) &&
          line.startsAt >= charge.from &&
          line.startsAt <= charge.to &&
          isFit(charge, line),
      );
      const distance = ({ startsAt }: B) => Math.abs(startsAt.getTime() - charge.from.getTime());
      const [closest] = fitting.toSorted((one, other) => distance(one) - distance(other));
      if (closest === undefined) continue;
      taken.set(charge, closest);
      used.add(closest);
    }
  };
  pair((charge, line) => charge.seats === line.seats);
  pair(() => true);
  return {
    pairs: [...taken].map(([charge, line]) => ({ charge, line })),
    unbilled: charges.filter((charge) => !taken.has(charge)),
    unpaid: lines.filter((line) => !used.has(line)),
  };
}
