/** The destination of an existing customer's order: one of its tenants, a new one, or the base subscription of an add-on. */
import type { FieldMetadata } from "@conform-to/react";
import { Fragment } from "react";
import { Choice } from "../../forms/choice.tsx";
import { FieldError } from "../../forms/field.tsx";
import { NewTenantFields } from "../../forms/new-tenant-fields.tsx";
import { Breakable } from "../../ui/breakable.tsx";
import { Rich, useTranslate } from "../../ui/text.tsx";

export interface DestinationProps {
  legend: string;
  /** `buyMore`: link to add licences instead, for a plan that a tenant cannot have twice. */
  options: { value: string; label: string; hint: string; buyMore: string | null }[];
  /** Label and suffix of a new tenant's name, or null where no new tenant may be named. */
  newTenant: { label: string; suffix: string } | null;
  /** Link to begin an order for a new destination that needs more than a name. */
  elsewhere: string | null;
  /** The company's addresses. With only one, the form does not ask. */
  addresses: { id: string; label: string }[];
}

interface Fields {
  destination: FieldMetadata<string>;
  username: FieldMetadata<string>;
  prefix: FieldMetadata<string>;
  address: FieldMetadata<string>;
}

export function DestinationField(
  props: DestinationProps & {
    fields: Fields;
    chosen: { destination: string; username: string; prefix: string };
  },
) {
  const text = useTranslate();
  const { legend, options, newTenant, elsewhere, addresses, fields, chosen } = props;
  const { destination, username, prefix, address } = fields;
  const only =
    options.length === 0 && newTenant !== null ? "new" : options.length === 1 ? options[0]?.value : undefined;
  const picked = destination.initialValue || chosen.destination || only;
  return (
    <>
      {(options.length > 0 || newTenant !== null) && (
        <fieldset
          className="field destination"
          id={destination.id}
          tabIndex={-1}
          aria-describedby={destination.errors === undefined ? undefined : destination.errorId}
        >
          <legend>{legend}</legend>
          <FieldError field={destination} />
          {options.map(({ value, label, hint, buyMore }) => (
            <Fragment key={value}>
              <Choice
                name={destination.name}
                value={value}
                defaultChecked={picked === value}
                title={<Breakable>{label}</Breakable>}
                hint={<Breakable>{hint}</Breakable>}
              />
              {buyMore !== null && (
                <p className="nested">
                  <a href={buyMore}>
                    <Rich
                      text={text("details.buyMore", { tenant: label })}
                      parts={{ hidden: (inner) => <span className="visually-hidden">{inner}</span> }}
                    />
                  </a>
                </p>
              )}
            </Fragment>
          ))}
          {newTenant !== null && (
            <>
              <Choice
                name={destination.name}
                value="new"
                defaultChecked={picked === "new"}
                title={newTenant.label}
                hint={text("details.newTenantHint")}
              />
              <div className="nested when-new">
                <NewTenantFields
                  username={username}
                  prefix={prefix}
                  preview={{ username: chosen.username, prefix: chosen.prefix }}
                  suffix={newTenant.suffix}
                />
              </div>
            </>
          )}
          {elsewhere !== null && (
            <p className="hint">
              <Rich
                text={text("details.elsewhere")}
                parts={{ link: (inner) => <a href={elsewhere}>{inner}</a> }}
              />
            </p>
          )}
        </fieldset>
      )}
      {addresses.length > 1 && (
        <div className="field">
          <label htmlFor={address.id}>{text("details.soldTo")}</label>
          <FieldError field={address} />
          <select id={address.id} name={address.name} defaultValue={address.initialValue}>
            {addresses.map(({ id, label }) => (
              <option key={id} value={id}>
                {label}
              </option>
            ))}
          </select>
        </div>
      )}
    </>
  );
}
