/** Escape closes the open menu around the focus, and gives the focus back to what opened it. Without scripts its own button does. */
export function menus(root: Document): void {
  root.addEventListener("keydown", ({ key, target }) => {
    if (key !== "Escape" || !(target instanceof Element)) return;
    const menu = target.closest<HTMLDetailsElement>("details.menu[open]");
    if (menu === null) return;
    menu.open = false;
    menu.querySelector("summary")?.focus();
  });
}
