/** One member of the company. Each of an owner's actions is a form, so that it works without scripts. */

import { Breakable } from "../../ui/breakable.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { roles } from "./roles.ts";

export interface MemberView {
  userId: string;
  name: string;
  email: string;
  role: "owner" | "buyer" | "viewer";
  isYou: boolean;
}

export function MemberRow({ member, mayChange }: { member: MemberView; mayChange: boolean }) {
  const { userId, name, email, role, isYou } = member;
  const shown = name === "" ? email : name;
  return (
    <li className="card member">
      <p>
        <strong>{shown}</strong> {isYou && "(you)"}
        <span className="hint">
          <Breakable>{email}</Breakable>
        </span>
      </p>
      {mayChange ? (
        <div className="in-row">
          <form method="post" className="in-row">
            <input type="hidden" name="member" value={userId} />
            <label className="visually-hidden" htmlFor={`role-${userId}`}>
              Role of {shown}
            </label>
            <select id={`role-${userId}`} name="role" defaultValue={role}>
              {roles.map(({ value, label }) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
            <SubmitButton name="intent" value="change-role" look="quiet">
              Save<span className="visually-hidden"> the role of {shown}</span>
            </SubmitButton>
          </form>
          <details className="remove">
            <summary>
              Remove<span className="visually-hidden"> {shown}</span>…
            </summary>
            <form method="post">
              <input type="hidden" name="member" value={userId} />
              <p>{isYou ? "You" : shown} will no longer see the company's subscriptions and orders.</p>
              <SubmitButton name="intent" value="remove" look="danger">
                <Breakable>{`Remove ${isYou ? "yourself" : shown}`}</Breakable>
              </SubmitButton>
            </form>
          </details>
        </div>
      ) : (
        <p className="role">{role}</p>
      )}
    </li>
  );
}
