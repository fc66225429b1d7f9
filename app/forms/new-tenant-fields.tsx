/** The name of a new tenant and of its administrator. The shared script previews and checks it. */
import type { FieldMetadata } from "@conform-to/react";
import { Breakable } from "../ui/breakable.tsx";
import { Rich, useTranslate } from "../ui/text.tsx";
import { Field, nameLike } from "./field.tsx";

export function NewTenantFields(props: {
  username: FieldMetadata<string>;
  prefix: FieldMetadata<string>;
  preview: { username: string; prefix: string };
  /** The vendor's suffix after the prefix. */
  suffix: string;
}) {
  const { username, prefix, preview, suffix } = props;
  const text = useTranslate();
  const name = `${username.initialValue ?? preview.username}@${prefix.initialValue ?? preview.prefix}${suffix}`;
  return (
    <>
      <Field field={username} label={text("forms.username")} {...nameLike} maxLength={63} />
      <Field
        field={prefix}
        label={text("forms.domainName")}
        hint={text("forms.domainNameHint")}
        suffix={suffix}
        {...nameLike}
        maxLength={27}
      />
      <div
        role="status"
        data-prefix-check={prefix.id}
        data-username={username.id}
        data-rule={text("signIn.prefixRule")}
        data-available={text("signIn.domainAvailable")}
        data-taken={text("signIn.prefixTaken")}
        data-unknown={text("signIn.domainNotChecked")}
      >
        <p className="hint">
          <Rich
            text={text("forms.usernamePreview", { name })}
            parts={{
              name: (inner) => (
                <output data-preview>
                  <Breakable>{inner}</Breakable>
                </output>
              ),
            }}
          />
        </p>
        <p data-verdict />
      </div>
    </>
  );
}
