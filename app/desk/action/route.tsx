/** `/desk/acts/{act}/{subject}`: the form of every staff action. The action defines its fields as data (server/desk/actions). */
import { getFormProps, useForm } from "@conform-to/react";
import { redirect } from "@remix-run/node";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { type ActionPreview, maxReasonLength, sharedFields } from "#server/desk/actions/action.ts";
import { actions, isActionId, mayPerform } from "#server/desk/actions/registry.ts";
import { stepUp } from "#server/desk/staff-sign-in.ts";
import { DomainError, notFound } from "#server/foundation/errors.ts";
import * as paths from "#server/foundation/paths.ts";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { Field } from "../../forms/field.tsx";
import { impersonationCookie } from "../../http/cookies.ts";
import { redirectWith } from "../../http/request-context.ts";
import { noindexMeta } from "../../ui/head.ts";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { fieldNamed } from "../field-named.ts";
import { deskHandle } from "../handle.ts";
import { type DeskForm, deskAction, deskLoader, type StaffRequest } from "../route-builders.ts";
import { stepUpMethodFor } from "../step-up.ts";
import { StepUpField } from "../step-up-field.tsx";
import { HandedOver } from "./handed-over.tsx";
import { OwnField } from "./own-field.tsx";
import { Preview } from "./preview.tsx";

export const handle = deskHandle;
export const meta = noindexMeta<{ label: string }>((data) => data?.label ?? "");

const params = z.object({ act: z.string().max(40), subject: z.string().max(400) });

/** @throws DomainError not_found for an unknown action; forbidden for one that the role cannot run */
function actOf({ desk }: StaffRequest, { act: id }: z.output<typeof params>) {
  if (!isActionId(id)) throw notFound();
  if (!mayPerform(desk.staff.role, id))
    throw new DomainError("forbidden", `Your role (${desk.staff.role}) can't do this.`);
  return actions[id];
}

export const loader = deskLoader("act", params, async (request, given) => {
  const staffAction = actOf(request, given);
  const { about, back, fields, whyNot, preview } = await staffAction.open(request.context, given.subject);
  return {
    label: staffAction.label,
    explains: staffAction.explains,
    reason: { ...staffAction.reason, most: maxReasonLength },
    about,
    back,
    fields,
    whyNot,
    hasPreview: preview !== null,
    shownAgain: staffAction.needsStepUp ? stepUpMethodFor(request) : null,
  };
});

/** Shown instead of the form: a result for the reader to hand on, or a preview of the effects. */
type Shown =
  | { handedOver: { said: string; label: string; link: string } }
  | { preview: ActionPreview; sent: { name: string; value: string }[] };

export const action = deskAction("act", {
  params,
  async open(request, given): Promise<DeskForm<typeof params, z.ZodObject, Shown>> {
    const { context, desk } = request;
    const staffAction = actOf(request, given);
    return {
      schema: staffAction.schema,
      redrawnBy: "change",
      async handler(_request, _params, value) {
        const { reason, code, password, confirmed } = sharedFields.parse(value);
        const opened = await staffAction.open(context, given.subject);
        if (opened.whyNot !== null) throw new DomainError("conflict", opened.whyNot);
        if (staffAction.needsStepUp) await stepUp(context, desk, { code, password });
        const preview = (await opened.preview?.(value, reason)) ?? null;
        if (preview !== null && preview.confirms.confirmed !== confirmed) {
          const typed = opened.fields.map(({ name }) => ({ name, value: String(value[name] ?? "") }));
          return { output: { preview, sent: [...typed, { name: "reason", value: reason }] } };
        }
        const { staff } = desk;
        const { said, handOver, storeView } = await opened.perform(value, {
          staffId: staff.id,
          sessionId: desk.sessionId,
          by: staff.email,
          reason,
        });
        if (storeView !== undefined) {
          request.responseHeaders.append(
            "Set-Cookie",
            await impersonationCookie(context.env).serialize(storeView),
          );
          return redirect(paths.customerHome(), 303);
        }
        if (handOver !== undefined)
          return {
            output: {
              handedOver: {
                said,
                label: handOver.label,
                link: new URL(handOver.path, context.env.PUBLIC_URL).href,
              },
            },
          };
        return redirectWith(request, opened.back, { type: "success", message: said });
      },
    };
  },
});

export default function ActionPage() {
  const { label, explains, reason, about, back, fields, whyNot, hasPreview, shownAgain } =
    useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const [form, metadata] = useForm<Record<string, string>>({
    id: "act",
    lastResult: reply?.result ?? null,
    defaultValue: Object.fromEntries(fields.map(({ name, value }) => [name, value ?? ""])),
  });
  const shown = reply?.output ?? null;
  if (shown !== null && "handedOver" in shown)
    return <HandedOver label={label} back={back} handedOver={shown.handedOver} />;
  if (shown !== null) return <Preview label={label} about={about} back={back} {...shown} />;
  const own = fields.map((field) => ({ ...field, metadata: fieldNamed(metadata, field.name) }));
  const ofReason = fieldNamed(metadata, "reason");
  const ofCode = fieldNamed(metadata, shownAgain ?? "code");
  return (
    <section className="page narrow">
      <h1>{label}</h1>
      <p>
        <a href={back}>{about}</a>
      </p>
      <p>{explains}</p>
      {whyNot === null ? (
        <Form method="post" {...getFormProps(form)} noValidate>
          <ErrorSummary form={form} fields={[...own.map((field) => field.metadata), ofReason, ofCode]} />
          {own.map((field) => (
            <OwnField key={field.name} {...field} />
          ))}
          <Field
            field={ofReason}
            label={reason.label}
            hint={reason.hint}
            maxLength={reason.most}
            autoComplete="off"
          />
          <StepUpField shownAgain={shownAgain} field={ofCode} />
          <p className="actions">
            <SubmitButton>{hasPreview ? `Check the ${label.toLowerCase()}` : label}</SubmitButton>{" "}
            <a href={back}>Back</a>
          </p>
        </Form>
      ) : (
        <p role="status">{reply?.result?.error?.[""]?.join(" ") ?? whyNot}</p>
      )}
    </section>
  );
}
