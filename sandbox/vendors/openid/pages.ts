/** Pages of the sandbox's identity providers: choosing who signs in, and errors. No scripts. */
import { html, page } from "../html.ts";

export interface ChoicePage {
  /** "Outlook" */
  name: string;
  /** The company whose sign-in it simulates. */
  company: string;
  /** The people to choose from, the first preselected. */
  people: readonly { id: string; name: string; email: string | null; about: string }[];
  /** Properties to choose for a typed email: value and label, the first preselected. */
  emails: readonly (readonly [value: string, words: string])[];
}

/** @param action target of the form: the page's own address */
export function choicePage(
  { name, company, people, emails }: ChoicePage,
  action: string,
  problem?: string,
): string {
  const checked = (index: number) => (index === 0 ? html` checked` : undefined);
  const choices = people.map(
    ({ id, name: who, email, about }, index) => html`<label class="choice">
<input type="radio" name="person" value="${id}"${checked(index)}>
<span><strong>${who}</strong>, ${email ?? "no email"}: ${about}</span></label>
`,
  );
  const kinds = emails.map(
    (
      [value, words],
      index,
    ) => html`<label class="choice"><input type="radio" name="verified" value="${value}"${checked(index)}>
<span>${words}</span></label>
`,
  );
  return page({
    title: `Sign in with ${name} (sandbox)`,
    body: html`<h1>Sign in with ${name}</h1>
<p class="note">Sandbox page: it stands in for ${company}'s sign-in. Choose who you are.</p>
${problem === undefined ? undefined : html`<p class="failed" role="alert">${problem}</p>`}
<form method="post" action="${action}">
<fieldset><legend>Account</legend>
${choices}<label class="choice"><input type="radio" name="person" value="other">
<span><strong>Somebody else</strong>, as typed here:</span></label>
<label class="field">Email, empty for none <input name="email" autocomplete="off"></label>
<label class="field">Name <input name="name" autocomplete="off"></label>
${kinds}</fieldset>
<div class="buttons"><button class="button main" name="action" value="sign-in">Sign in</button>
<button class="button" name="action" value="cancel">Cancel</button></div>
</form>`,
  });
}

export function signInErrorPage(message: string): string {
  return page({
    title: "Not signed in (sandbox)",
    body: html`<h1>Not signed in</h1><p role="alert">${message}</p><p>Go back to the store and begin again.</p>`,
  });
}
