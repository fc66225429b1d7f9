/** The name of a new tenant and of its administrator. The shared script previews and checks it. */
import type { FieldMetadata } from "@conform-to/react";
import { Breakable } from "../ui/breakable.tsx";
import { Field, nameLike } from "./field.tsx";

export function NewTenantFields(props: {
  username: FieldMetadata<string>;
  prefix: FieldMetadata<string>;
  preview: { username: string; prefix: string };
  /** The vendor's suffix after the prefix. */
  suffix: string;
}) {
  const { username, prefix, preview, suffix } = props;
  return (
    <>
      <Field field={username} label="Username" {...nameLike} maxLength={63} />
      <Field field={prefix} label="Domain Name" suffix={suffix} {...nameLike} maxLength={27} />
      <div role="status" data-prefix-check={prefix.id} data-username={username.id}>
        <p className="hint">
          Your username will be{" "}
          <output data-preview>
            <Breakable>
              {`${username.initialValue ?? preview.username}@${prefix.initialValue ?? preview.prefix}${suffix}`}
            </Breakable>
          </output>
        </p>
        <p data-verdict />
      </div>
    </>
  );
}
