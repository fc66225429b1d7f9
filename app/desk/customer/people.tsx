/** A company's members, and its tenants. */
import { Breakable } from "../../ui/breakable.tsx";
import { ListTable } from "../../ui/list.tsx";
import { Word } from "../word.tsx";
import { Part, Time } from "./part.tsx";
import type { CustomerPageView } from "./view.ts";

export function People({ people }: Pick<CustomerPageView, "people">) {
  return (
    <Part title="People" none={people.length === 0 && "This company has no members."}>
      <ListTable
        label="People"
        columns={[
          { label: "Name", holds: "words" },
          { label: "Email", holds: "words" },
          "Role",
          "Last sign-in",
        ]}
        rows={people.map((person) => ({
          id: person.userId,
          cells: [
            person.name,
            <span key="email" className="stacked">
              <Word>{person.email}</Word>
              {!person.isProven && <small>not confirmed</small>}
              {person.isDisabled && <small>disabled</small>}
              {person.isLocked && <small>locked by us</small>}
            </span>,
            person.role,
            <Time key="last" at={person.lastSignIn} none="none recently" />,
          ],
        }))}
      />
    </Part>
  );
}

export function Tenants({ tenants }: Pick<CustomerPageView, "tenants">) {
  return (
    <Part title="Tenants" none={tenants.length === 0 && "This company has no tenants."}>
      <ListTable
        label="Tenants"
        columns={[
          { label: "Domain", holds: "words" },
          "Vendor",
          { label: "Id", holds: "words" },
          { label: "Proof", holds: "words" },
          "Since",
        ]}
        rows={tenants.map((tenant) => ({
          id: tenant.id,
          cells: [
            <Word key="domain">{tenant.domain}</Word>,
            tenant.vendor,
            <Breakable key="id">{tenant.externalId}</Breakable>,
            <span key="proof" className="stacked">
              {tenant.proof}
              {tenant.boundBy !== null && (
                <small>
                  <Breakable>{`by ${tenant.boundBy}: ${tenant.evidence} (${tenant.reference})`}</Breakable>
                </small>
              )}
              {tenant.until !== null && (
                <small>
                  {tenant.isOver ? "expired on" : "until"} <Time at={tenant.until} none="" />
                </small>
              )}
            </span>,
            <Time key="since" at={tenant.since} none="" />,
          ],
        }))}
      />
    </Part>
  );
}
