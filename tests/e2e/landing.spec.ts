/** The landing page: the carousel of offers, the rows of plans, the contacts, and the footer. */
import { expect, test } from "./fixtures.ts";
import { misfitsInLargeText, widerThanScreen } from "./pages/screen.ts";

const phone = { width: 360, height: 740 };
const chat = "https://wa.me/910000000100";
const contactPage = "https://www.hubs.example/contact";

test.describe("the offers", () => {
  test("turn every three seconds, in half a second", async ({ page, shop: { home } }) => {
    await page.clock.install();
    await home.open();
    await home.expectOffer(1);
    await expect(home.offers.locator("[data-place]")).toHaveAttribute("aria-live", "off");
    await page.clock.runFor(2_900);
    await home.expectOffer(1);
    await page.clock.runFor(700);
    await home.expectOffer(2);
    await expect(home.dot(2)).toHaveAttribute("aria-current", "true");
    for (const place of [3, 1]) {
      await page.clock.runFor(3_600);
      await home.expectOffer(place);
    }
  });

  test("pause by button, hover and focus", async ({ page, shop: { home } }) => {
    await page.clock.install();
    await home.open();
    await home.pause.click();
    // Moves the pointer away, so that only the button pauses it.
    await page.mouse.move(5, 5);
    await home.contactUs.focus();
    await page.clock.runFor(10_000);
    await home.expectOffer(1);
    await expect(home.offers.locator("[data-place]")).toHaveAttribute("aria-live", "polite");

    // Play moves them at once, although the pointer is still over them.
    await home.play.click();
    await page.clock.runFor(3_600);
    await home.expectOffer(2);

    await page.mouse.move(5, 5);
    await home.contactUs.focus();
    await home.offer(2).hover();
    await page.clock.runFor(10_000);
    await home.expectOffer(2);

    await page.mouse.move(5, 5);
    await home.dot(1).focus();
    await page.clock.runFor(10_000);
    await home.expectOffer(2);
    await home.contactUs.focus();
    await page.clock.runFor(3_700);
    await home.expectOffer(3);
  });

  test("move only by their arrows with reduced motion", async ({ page, shop: { home } }) => {
    await page.emulateMedia({ reducedMotion: "reduce" });
    await page.clock.install();
    await home.open();
    await page.clock.runFor(10_000);
    await home.expectOffer(1);
    await expect(home.pause).toBeHidden();
    await home.turn("Previous").click();
    await page.clock.runFor(20);
    await home.expectOffer(3);
  });

  test("are all reachable by keyboard", async ({ page, shop: { home }, scriptsOff }) => {
    await home.open();
    await home.cost.root.getByRole("link", { name: "Buy Now" }).focus();
    for (const [place, link] of [
      [1, "See Microsoft plans"],
      [2, "See Google plans"],
      [3, "Request this offer"],
    ] as const) {
      await page.keyboard.press("Tab");
      await expect(home.offer(place).getByRole("link", { name: link })).toBeFocused();
      await home.expectOffer(place);
    }
    const dots = [home.dot(1), home.dot(2), home.dot(3)];
    const turning = scriptsOff ? dots : [home.pause, ...dots, home.turn("Previous"), home.turn("Next")];
    for (const control of turning) {
      await page.keyboard.press("Tab");
      await expect(control).toBeFocused();
    }
    if (scriptsOff) return;
    await page.keyboard.press("Enter");
    await home.expectOffer(1);
    // Two quick presses move two offers on.
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await home.expectOffer(3);
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Space");
    await home.expectOffer(2);
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Enter");
    await home.expectOffer(3);
    for (const _ of dots) await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Enter");
    await expect(home.play).toBeFocused();
  });

  for (const size of [phone, { width: 1280, height: 800 }]) {
    test(`follow their dots without scrolling the page, at ${size.width}`, async ({
      page,
      shop: { home },
      scriptsOff,
    }) => {
      await page.setViewportSize(size);
      await home.open();
      await home.offers.scrollIntoViewIfNeeded();
      const before = await home.scrolledBy();
      for (const place of [3, 1, 2]) {
        await home.dot(place).click();
        await expect(home.dot(place)).toBeInViewport({ ratio: 1 });
        await home.expectOffer(place);
        // Without scripts a dot is a link, which may scroll to its slide.
        if (!scriptsOff) expect(await home.scrolledBy()).toBe(before);
      }
      expect(await widerThanScreen(page)).toBe(0);
    });
  }

  test("have the specification's texts, and in the USA no price in rupees", async ({
    page,
    shop: { home },
  }) => {
    await home.open();
    await expect(home.offer(1)).toContainText("Starting at ₹79 per month");
    await expect(home.offer(2)).toContainText("Starting at ₹161 per month");
    await expect(home.offer(3)).toContainText("List price ₹1,23,851 ₹65,000 both plus GST");
    await expect(home.offer(3).locator("s")).toContainText("₹1,23,851");
    await expect(home.offer(3).getByRole("link", { name: "Request this offer" })).toHaveAttribute(
      "href",
      contactPage,
    );
    await home.choose("USA ($)");
    await expect(home.offer(1)).toContainText("Starting at $2.85 per month");
    await expect(home.offer(2)).toContainText("Starting at $5.60 per month");
    await expect(home.offer(3)).toContainText("Request a price in dollars");
    await expect(page.getByRole("main")).not.toContainText(/₹\d/);
  });
});

test.describe("the rows of plans", () => {
  for (const [width, cards] of [
    [360, 1],
    [560, 1],
    [561, 2],
    [825, 2],
    [826, 3],
    [1280, 3],
  ] as const) {
    test(`show ${cards} at ${width} px`, async ({ page, shop: { home } }) => {
      await page.setViewportSize({ width, height: 800 });
      await home.open();
      expect(await home.shownIn("Featured Services")).toHaveLength(cards);
      expect(await home.shownIn("Other Services")).toHaveLength(cards);
      expect(await widerThanScreen(page)).toBe(0);
    });
  }

  test("turn by their arrows and show their position @keyboard", async ({ page, shop: { home } }) => {
    await home.open();
    const section = home.section("Other Services");
    const next = section.getByRole("button", { name: "Next in Other Services" });
    const previous = section.getByRole("button", { name: "Previous in Other Services" });
    await expect(section.getByText("1 of 2")).toBeVisible();
    await expect(previous).toHaveAttribute("aria-disabled", "true");
    await next.scrollIntoViewIfNeeded();
    const before = await home.scrolledBy();
    await next.press("Enter");
    await expect(section.getByText("2 of 2")).toBeVisible();
    await expect(next).toHaveAttribute("aria-disabled", "true");
    await expect(next).toBeFocused();
    expect(await home.scrolledBy()).toBe(before);
    await expect.poll(() => home.shownIn("Other Services")).toContain("Office 365 E1");
    await previous.click();
    await expect(section.getByText("1 of 2")).toBeVisible();
    // Where all cards fit there are no arrows.
    await home.choose("Google");
    await expect(page.getByRole("button", { name: "Next in Featured Services" })).toBeHidden();
    await page.setViewportSize(phone);
    await expect(page.getByRole("button", { name: "Next in Featured Services" })).toBeVisible();
  });

  test("can be scrolled by keyboard", async ({ page, shop: { home } }) => {
    await page.setViewportSize(phone);
    await home.open();
    const last = home.card("Microsoft Teams Essentials").getByRole("link", { name: "Buy Now" });
    await expect(last).not.toBeInViewport();
    await home.section("Featured Services").getByRole("link", { name: "Buy Now" }).first().focus();
    for (let plan = 1; plan < 20 && !(await last.evaluate((link) => link.matches(":focus"))); plan += 1)
      await page.keyboard.press("Tab");
    await expect(last).toBeFocused();
    await expect(last).toBeInViewport({ ratio: 1 });
  });

  test("show all features on a wide screen and collapse them on a phone", async ({
    page,
    shop: { home },
  }) => {
    await home.open();
    const card = home.card("Microsoft 365 Business Standard");
    const further = card.getByText("Bookings for customer appointments");
    await expect(further).toBeVisible();
    await expect(card.getByText("What's included")).toBeHidden();
    await page.setViewportSize(phone);
    await expect(further).toBeHidden();
    await card.getByText("What's included").click();
    await expect(further).toBeVisible();
  });

  test("leave no gap: two cards share the row, a single one fills it", async ({ page, shop: { home } }) => {
    await home.open("/?service=google");
    const widths = await home
      .section("Featured Services")
      .getByRole("article")
      .evaluateAll((cards) => cards.map((card) => card.getBoundingClientRect().right));
    const right = await page
      .getByRole("contentinfo")
      .locator(".footer-end")
      .evaluate((end) => end.getBoundingClientRect().right);
    expect(Math.abs(Math.max(...widths) - right)).toBeLessThan(2);
  });
});

test.describe("the calculator", () => {
  test("shows the total with tax first and leads to the order @keyboard @journey", async ({
    page,
    shop: { home, details },
    expectAccessible,
    scriptsOff,
  }) => {
    await home.open();
    await expect(home.cost.total).toHaveText("₹19,399");
    await home.cost.plan.selectOption("Microsoft 365 Business Standard");
    await home.cost.people.fill("17");
    // The server calculates; with scripts as soon as an answer changes.
    if (scriptsOff) await home.cost.update.click();
    await expect(home.cost.total).toHaveText("₹1,75,485");
    await expect(home.cost.root).toContainText("17 users × ₹8,748");
    await expect(home.cost.root).toContainText("GST 18%");
    await expectAccessible();
    await home.cost.people.fill("301");
    if (scriptsOff) await home.cost.update.click();
    await expect(home.cost.root.getByRole("alert")).toBeVisible();
    await expect(home.cost.total).toHaveCount(0);
    await expectAccessible();
    await expect(home.cost.update).toBeVisible({ visible: scriptsOff });
    await home.cost.people.fill("2");
    await home.cost.people.press("Enter");
    await expect(page).toHaveURL(/plan=microsoft-365-business-standard&people=2&term=P1Y#cost$/);
    await home.cost.root.getByRole("link", { name: "Buy Now" }).click();
    await expect(details.heading).toBeVisible();
    await expect(page).toHaveURL(/\/order\/microsoft\/microsoft-365-business-standard\/IN\?/);
    // The order keeps the number from the calculator.
    await expect(details.quantity).toHaveValue("2");
  });

  test("calculates in the chosen country, without a tax where there is none", async ({ shop: { home } }) => {
    await home.open("/?service=google&country=US&people=3");
    await expect(home.cost.total).toContainText("$");
    await expect(home.cost.root).not.toContainText("GST");
    await home.cost.people.press("Enter");
    await expect(home.cost.total).toContainText("$");
  });

  test("increments by its button", async ({ shop: { home } }) => {
    await home.open();
    await home.cost.root.getByRole("button", { name: "Add one user" }).click();
    await expect(home.cost.root).toContainText("11 users × ₹1,644");
  });
});

test.describe("in Hindi", () => {
  test.use({ locale: "hi-IN" });
  for (const address of [
    "/",
    "/?service=google&country=US",
    "/search?query=exchange",
    "/search?query=zzzzqqqq",
    "/country",
  ]) {
    test(`${address} is complete, and fits a phone in large text`, async ({ page, expectAccessible }) => {
      await page.setViewportSize(phone);
      await page.goto(address);
      await expect(page.locator("html")).toHaveAttribute("lang", "hi");
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(/[\u0900-\u097F]/);
      await expectAccessible();
      // Remaining English is marked as such, or is a name.
      const english = await page.evaluate(() =>
        [...document.querySelectorAll("main *, header *, footer *")]
          .filter((element) => element.closest("[lang]")?.getAttribute("lang") === "hi")
          .flatMap(({ childNodes }) => [...childNodes])
          .filter(({ nodeType }) => nodeType === Node.TEXT_NODE)
          .map(({ textContent }) => textContent ?? "")
          .filter((text) =>
            /\b(the|your|our|and|for|with|plans?|search|choose|country|services?|Call|Buy|Starting)\b/i.test(
              text,
            ),
          ),
      );
      expect(english).toEqual([]);
      expect(await misfitsInLargeText(page)).toEqual([]);
    });
  }
});

test("Get Started leads to the order of the chosen service @keyboard", async ({ page, shop: { home } }) => {
  for (const [address, order] of [
    ["/", "/order/microsoft/microsoft-365-business-basic/IN"],
    ["/?service=google", "/order/google/google-workspace-business-starter/IN"],
    ["/?service=google&country=US", "/order/google/google-workspace-business-starter/US"],
    ["/?service=brio", "/order/brio/brio-desk/US"],
    ["/?service=brio&country=IN", "/order/brio/brio-desk/IN"],
  ] as const) {
    await home.open(address);
    await home.getStarted.click();
    await expect(page).toHaveURL(new RegExp(`${order}$`));
  }
});

test.describe("contacts", () => {
  test("are the contact page on a desktop and a chat on a narrow screen", async ({
    page,
    shop: { home },
  }) => {
    await home.open();
    await expect(home.contactUs).toHaveAttribute("href", contactPage);
    await page.setViewportSize(phone);
    await expect(home.contactUs).toHaveAttribute("href", chat);
    await expect(home.help.getByRole("link", { name: "Chat on WhatsApp" })).toHaveAttribute("href", chat);
    await expect(home.help.getByRole("link", { name: "Contact support" })).toHaveAttribute(
      "href",
      "mailto:support@hubs.example",
    );
  });

  test.describe("on a tablet", () => {
    test.use({ hasTouch: true, isMobile: true, viewport: { width: 1024, height: 768 } });
    test("are a chat @without-scripts", async ({ shop: { home } }) => {
      await home.open();
      await expect(home.contactUs).toHaveAttribute("href", chat);
    });
  });

  test("include phone numbers in the footer of every page that sells", async ({ page, shop }) => {
    const footer = page.getByRole("contentinfo");
    for (const address of ["/", "/search", "/about", "/country"]) {
      await page.goto(address);
      const india = footer.getByRole("region", { name: "Call us in India" });
      await expect(india.getByRole("link")).toHaveText([
        "+91 00000 00101",
        "+91 00000 00102",
        "+91 00000 00103",
      ]);
      await expect(india).toContainText("Sales");
      await expect(india.getByRole("link").first()).toHaveAttribute("href", "tel:+910000000101");
      const usa = footer.getByRole("region", { name: "Call us in the USA" });
      await expect(usa.getByRole("link").last()).toHaveAttribute("href", "tel:+12125550103");
      await expect(footer.getByRole("list", { name: "Our offices" }).getByRole("listitem")).toHaveCount(5);
      await expect(footer.getByRole("link", { name: "LinkedIn" })).toBeVisible();
    }
    // Other pages have a short footer with our support's email.
    await page.goto("/login");
    await expect(footer.getByRole("link", { name: /^support@/ })).toBeVisible();
    await expect(footer.getByRole("region")).toHaveCount(0);
    await shop.details.open("microsoft-365-business-basic", "IN", "microsoft");
    await expect(footer).toContainText("Sold by Hubs of Happiness Private Limited");
    await expect(footer.getByRole("link", { name: "Refunds and cancellation" })).toBeVisible();
    await expect(footer.getByRole("region")).toHaveCount(0);
  });
});

test("questions open in place, for each service and country @keyboard", async ({ page, shop: { home } }) => {
  const automatic = home.questions.getByText(
    "Activation is automatic after purchase, usually within minutes.",
  );
  await home.open();
  await expect(automatic).toBeHidden();
  await home.questions.getByText("How is my subscription activated?").click();
  await expect(automatic).toBeVisible();
  await home.questions.getByText("When can I renew?").focus();
  await page.keyboard.press("Enter");
  await expect(home.questions.getByRole("link", { name: "Open Subscriptions" })).toBeVisible();
  await home.questions.getByText("Who can buy here?").click();
  await expect(home.questions).toContainText("only for businesses registered in India");
  await page.getByRole("navigation", { name: "Provider" }).getByRole("link", { name: "Google" }).click();
  await home.questions.getByText("Are the licenses genuine?").click();
  await expect(home.questions.getByText("sourced from Google through a partner")).toBeVisible();
});

test("axe finds nothing in any choice or view", async ({ page, shop: { home }, expectAccessible }) => {
  for (const [address, colorScheme] of [
    ["/", "light"],
    ["/?service=google&country=US", "dark"],
    ["/?service=brio", "light"],
    ["/search?query=exchange", "dark"],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await home.open(address);
    await expectAccessible();
    await page.setViewportSize(phone);
    await expectAccessible();
    expect(await widerThanScreen(page), address).toBe(0);
    await page.setViewportSize({ width: 1280, height: 800 });
  }
});

for (const late of ["app", "catalogue"] as const)
  test(`nothing moves during loading, with ${late}.css last`, async ({ page, shop: { home } }) => {
    let held = 0;
    await page.route(new RegExp(`/${late}-[^/]+\\.css$`), async (route) => {
      held += 1;
      await new Promise((resolve) => setTimeout(resolve, 200));
      await route.continue();
    });
    for (const size of [phone, { width: 1280, height: 800 }]) {
      await page.setViewportSize(size);
      await home.open();
      await expect(home.pause).toBeVisible();
      const moved = await page.evaluate(
        () =>
          new Promise<string[]>((resolve) => {
            const found: string[] = [];
            new PerformanceObserver((list) => {
              for (const entry of list.getEntries()) {
                // A header painted before it is completely parsed moves an icon by some ten thousandths.
                if (!("value" in entry) || Number(entry.value) < 0.001) continue;
                const sources = "sources" in entry && Array.isArray(entry.sources) ? entry.sources : [];
                const nodes = sources.map(({ node }: { node: unknown }) =>
                  node instanceof Element ? node.outerHTML.slice(0, 80) : "text",
                );
                found.push(`${entry.value} at ${entry.startTime} ms: ${nodes.join(" | ")}`);
              }
            }).observe({ type: "layout-shift", buffered: true });
            setTimeout(() => resolve(found), 300);
          }),
      );
      expect(moved, `at ${size.width}`).toEqual([]);
      expect(held).toBeGreaterThan(0);
    }
  });
