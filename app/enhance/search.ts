/** Script of the results page only: a new search replaces the current one in the browser's history. */
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
