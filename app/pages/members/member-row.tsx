/** One member of the company. Each of an owner's actions is a form, so that it works without scripts. */

import type { SubmissionResult } from "@conform-to/react";
import type { MemberRole } from "#db/tables/enums.ts";
import { Breakable } from "../../ui/breakable.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { Rich, useTranslate } from "../../ui/text.tsx";
import { OrderLimitForm } from "./order-limit-form.tsx";
import { roles } from "./roles.ts";

export interface MemberView {
  userId: string;
  name: string;
  email: string;
  role: MemberRole;
  isYou: boolean;
  /** Limits in major units as typed, empty without a limit; null for a member who places no orders. */
  limits: { perOrder: string; perMonth: string } | null;
}

export function MemberRow({
  member,
  mayChange,
  currency,
  lastResult,
}: {
  member: MemberView;
  mayChange: boolean;
  currency: string;
  lastResult: SubmissionResult<string[]> | null;
}) {
  const { userId, name, email, role, isYou } = member;
  const shown = name === "" ? email : name;
  const text = useTranslate();
  const hidden = (words: string) => <span className="visually-hidden">{words}</span>;
  return (
    <li className="card member">
      <p>
        <strong>{shown}</strong> {isYou && text("members.you")}
        <span className="hint">
          <Breakable>{email}</Breakable>
        </span>
      </p>
      {mayChange ? (
        <div className="in-row">
          <form method="post" className="in-row">
            <input type="hidden" name="member" value={userId} />
            <label className="visually-hidden" htmlFor={`role-${userId}`}>
              {text("members.roleOf", { name: shown })}
            </label>
            <select id={`role-${userId}`} name="role" defaultValue={role}>
              {roles.map(({ value, label }) => (
                <option key={value} value={value}>
                  {text(label)}
                </option>
              ))}
            </select>
            <SubmitButton name="intent" value="change-role" variant="quiet">
              <Rich text={text("members.save", { name: shown })} parts={{ hidden }} />
            </SubmitButton>
          </form>
          {member.limits !== null && (
            <OrderLimitForm
              userId={userId}
              name={shown}
              limits={member.limits}
              currency={currency}
              lastResult={lastResult}
            />
          )}
          <details className="remove">
            <summary>
              <Rich text={text("members.remove", { name: shown })} parts={{ hidden }} />
            </summary>
            <form method="post">
              <input type="hidden" name="member" value={userId} />
              <p>{isYou ? text("members.youNoLonger") : text("members.theyNoLonger", { name: shown })}</p>
              <SubmitButton name="intent" value="remove" variant="danger">
                <Breakable>
                  {isYou ? text("members.removeYourself") : text("members.removeNamed", { name: shown })}
                </Breakable>
              </SubmitButton>
            </form>
          </details>
        </div>
      ) : (
        <p>{text(`members.${role}`)}</p>
      )}
    </li>
  );
}
