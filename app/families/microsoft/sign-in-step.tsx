/** The screen of Microsoft Sign-In: its form, or the wait for an administrator of the buyer's tenant. */
import { Callout } from "../../ui/callout.tsx";
import { ApprovalPanel, type ApprovalPanelProps } from "./approval-panel.tsx";
import { SignInForm, type SignInFormProps } from "./sign-in-form.tsx";

export type MicrosoftSignInView = { family: "microsoft" } & (
  | ({ is: "approval" } & ApprovalPanelProps)
  | ({ is: "form"; timedOut: string | null } & Omit<SignInFormProps, "lastResult" | "offers">)
);

export function MicrosoftSignIn(props: MicrosoftSignInView & Pick<SignInFormProps, "lastResult" | "offers">) {
  if (props.is === "approval") return <ApprovalPanel {...props} />;
  const { timedOut, ...form } = props;
  return (
    <>
      {timedOut !== null && (
        <Callout type="error">
          <p>{timedOut}</p>
        </Callout>
      )}
      <SignInForm {...form} />
    </>
  );
}
