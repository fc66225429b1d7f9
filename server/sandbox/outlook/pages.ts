/** The sandbox's Outlook pages: who signs in, and what has gone wrong. No scripts. */
import { html, page } from "../html.ts";
import { fixedPeople } from "./people.ts";

/** @param action where the form goes: back to the address it is on */
export function choicePage(action: string, problem?: string): string {
  const choices = fixedPeople.map(
    ({ id, name, email, about }, index) => html`<label class="choice">
<input type="radio" name="person" value="${id}"${index === 0 ? html` checked` : undefined}>
<span><strong>${name}</strong>, ${email ?? "no email"}: ${about}</span></label>
`,
  );
  return page({
    title: "Sign in with Outlook (sandbox)",
    body: html`<h1>Sign in with Outlook</h1>
<p class="note">Sandbox page: it stands in for Microsoft's sign-in. Choose who you are.</p>
${problem === undefined ? undefined : html`<p class="failed" role="alert">${problem}</p>`}
<form method="post" action="${action}">
<fieldset><legend>Account</legend>
${choices}<label class="choice"><input type="radio" name="person" value="other">
<span><strong>Somebody else</strong>, as typed here:</span></label>
<label class="field">Email, empty for none <input name="email" autocomplete="off"></label>
<label class="field">Name <input name="name" autocomplete="off"></label>
<label class="choice"><input type="radio" name="verified" value="no" checked><span>The email is not verified</span></label>
<label class="choice"><input type="radio" name="verified" value="yes"><span>The email is verified</span></label>
</fieldset>
<div class="buttons"><button class="button main" name="action" value="sign-in">Sign in</button>
<button class="button" name="action" value="cancel">Cancel</button></div>
</form>`,
  });
}

export function lostPage(message: string): string {
  return page({
    title: "Not signed in (sandbox)",
    body: html`<h1>Not signed in</h1><p role="alert">${message}</p><p>Go back to the store and begin again.</p>`,
  });
}
