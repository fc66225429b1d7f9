/** The values for a bank's transfer form, each with a Copy button, above the proforma that prints them too. */
import { Copyable } from "../../ui/copyable.tsx";
import type { AccountView } from "./account-data.ts";

export function AccountCard({ title, daysLeft, arrived, amount, rows, beneficiary }: AccountView) {
  return (
    <section className="card account off-paper">
      <div className="card-head">
        <h2>{title}</h2>
        {daysLeft !== null && <span className="badge due">{daysLeft}</span>}
      </div>
      {arrived !== null && (
        <p>
          <strong>{arrived}</strong>
        </p>
      )}
      <dl>
        <Copyable {...amount} />
        {rows.map((row) => (
          <Copyable key={row.label} {...row} />
        ))}
      </dl>
      <p className="hint">{beneficiary}</p>
    </section>
  );
}
