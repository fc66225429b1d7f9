/** The script of the page of results: another search takes the place of this one in the browser's history. Other pages need not load it. */
window.addEventListener("submit", (event) => {
  const { target: form, submitter } = event;
  if (!(form instanceof HTMLFormElement) || form.dataset.replaces === undefined || event.defaultPrevented)
    return;
  event.preventDefault();
  submitter?.setAttribute("aria-busy", "true");
  document.documentElement.classList.add("leaving");
  const fields = [...new FormData(form)].map(([name, value]) => [name, String(value)]);
  location.replace(`${form.action}?${new URLSearchParams(fields)}`);
});
