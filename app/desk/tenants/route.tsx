/**
 * `/desk/tenants`: imports many existing tenants of customers from a file, after a comparison. A single one is a staff action.
 */
import { getFormProps, useForm } from "@conform-to/react";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { maxReasonLength } from "#server/desk/actions/action.ts";
import { hasRecentStepUp } from "#server/desk/sessions.ts";
import { stepUp } from "#server/desk/staff-sign-in.ts";
import {
  applyTenantImport,
  compareTenantImport,
  csvHeader,
  maxImportLines,
  type TenantImportDiff,
  type TenantImportLine,
} from "#server/desk/tenant-import.ts";
import { wrongField } from "#server/foundation/errors.ts";
import * as paths from "#server/foundation/paths.ts";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { Field } from "../../forms/field.tsx";
import { TextAreaField } from "../../forms/text-area-field.tsx";
import { redirectWith } from "../../http/request-context.ts";
import { noindexMeta } from "../../ui/head.ts";
import { ListTable } from "../../ui/list.tsx";
import { CodeField } from "../code-field.tsx";
import { deskHandle } from "../handle.ts";
import { deskAction, deskLoader } from "../route-builders.ts";

export const handle = deskHandle;
export const meta = noindexMeta("Import tenants");

/** Lower than the limit for a form, because the other fields and the encoding need space. */
const maxFileLength = 40_000;

const schema = z.object({
  intent: z.enum(["compare", "apply"]).default("compare"),
  file: z
    .string("Paste the file.")
    .min(1, "Paste the file.")
    .max(maxFileLength, "That's too much for one import. Split the file."),
  /** Digest of the comparison that was shown. */
  digest: z.string().max(64).default(""),
  reason: z.string().trim().max(maxReasonLength, "Use 500 characters or fewer.").default(""),
  /** Second factor, for a step-up. */
  code: z.string().max(40).default(""),
  password: z.string().max(1024).default(""),
});

interface Shown {
  /** Header line of the file. */
  titles: string;
  most: { lines: number; reason: number };
  /** Step-up before any tenant is bound. */
  shownAgain: "code" | "password" | null;
}

export const loader = deskLoader(
  "tenants",
  z.unknown(),
  async ({ desk }): Promise<Shown> => ({
    titles: csvHeader,
    most: { lines: maxImportLines, reason: maxReasonLength },
    shownAgain: hasRecentStepUp(desk, new Date()) ? null : desk.staff.hasSecondFactor ? "code" : "password",
  }),
);

export const action = deskAction("tenants", {
  params: z.unknown(),
  schema,
  async handler(
    request,
    _params,
    { intent, file, digest, reason, code, password },
  ): Promise<Response | { output: TenantImportDiff }> {
    const { context, desk } = request;
    if (intent === "compare") return { output: await compareTenantImport(context, file) };
    if (reason === "") throw wrongField("reason", "Enter a reason.");
    await stepUp(context, desk, { code, password });
    const { staff } = desk;
    const { counts } = await applyTenantImport(context, file, {
      confirmed: digest,
      audit: { staffId: staff.id, by: staff.email, reason },
    });
    const message = `${counts.new === 1 ? "1 tenant is" : `${counts.new} tenants are`} linked. We're importing their subscriptions.`;
    return redirectWith(request, paths.deskTenantImport(), { type: "success", message });
  },
});

const outcomes: Readonly<Record<TenantImportLine["outcome"], string>> = {
  new: "New",
  there: "Already there",
  elsewhere: "Rejected: belongs to another company",
  malformed: "Invalid",
};

export default function Tenants() {
  const { titles, most, shownAgain } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const [form, fields] = useForm<z.input<typeof schema>>({
    id: "tenants",
    lastResult: reply?.result ?? null,
  });
  const diff = reply?.output ?? null;
  // After a refusal, show the typed confirmation again, but not the comparison.
  const digest = diff?.digest ?? fields.digest.initialValue ?? "";
  const mayApply = diff === null ? digest !== "" : diff.counts.new > 0;
  return (
    <div className="page">
      <h1>Import tenants</h1>
      <p>
        Link customers' existing vendor accounts to their companies here, so they can add licenses and renew
        in this store. To link just one, use the company page. You can review every change before it's saved,
        and we never take a tenant from another company.
      </p>
      {diff !== null && <Diff {...diff} />}
      <Form method="post" {...getFormProps(form)} noValidate>
        <ErrorSummary form={form} fields={[fields.file, fields.reason, fields[shownAgain ?? "code"]]} />
        <TextAreaField
          field={fields.file}
          label="File"
          hint={`CSV, up to ${most.lines} lines including this header: ${titles}. Identify a company by ID, GSTIN, an owner's email or full name. The vendor's tenant ID is optional.`}
          rows={10}
          maxLength={maxFileLength}
          isData
        />
        <p className="actions">
          <button type="submit" name="intent" value="compare" className={mayApply ? "quiet" : undefined}>
            {diff === null ? "Compare" : "Compare again"}
          </button>
        </p>
        {mayApply && (
          <fieldset>
            <legend className="as-heading">Link new tenants</legend>
            <input type="hidden" name="digest" value={digest} />
            <Field
              field={fields.reason}
              label="Reason"
              hint="Kept in the audit log with the evidence for each line."
              maxLength={most.reason}
              autoComplete="off"
            />
            {shownAgain === "code" && <CodeField field={fields.code} />}
            {shownAgain === "password" && (
              <Field
                field={fields.password}
                label="Your password"
                hint="We ask again before actions on money, prices or people."
                type="password"
                autoComplete="current-password"
              />
            )}
            <p className="actions">
              <button type="submit" name="intent" value="apply">
                Link new tenants
              </button>
            </p>
          </fieldset>
        )}
      </Form>
    </div>
  );
}

function Diff({ lines, counts }: TenantImportDiff) {
  const said = [
    `${counts.new} new`,
    `${counts.there} already there`,
    `${counts.elsewhere} of another company`,
    `${counts.malformed} invalid.`,
  ].join(", ");
  return (
    <section aria-labelledby="diff">
      <h2 id="diff">Preview</h2>
      <p role="status">{said}</p>
      <ListTable
        label="Lines of the file"
        columns={["Line", { label: "What", holds: "words" }, "Outcome", { label: "Why", holds: "words" }]}
        rows={lines.map(({ line, what, outcome, said: why }) => ({
          id: String(line),
          cells: [line, what, outcomes[outcome], why],
        }))}
      />
    </section>
  );
}
