/** `/manifest.webmanifest`: what a phone needs to install the store as an app. */
import { brand } from "#server/foundation/brand.ts";
import * as paths from "#server/foundation/paths.ts";
import { fileLoader } from "../api/shared/route.ts";

/** The colours of the icons. */
const colours = { theme: "#14506e", background: "#faf7f1" };

export const loader = fileLoader(
  async () =>
    new Response(
      JSON.stringify({
        name: brand.name,
        short_name: "Hubs",
        description: brand.tagline,
        id: paths.home(),
        start_url: paths.home(),
        display: "minimal-ui",
        theme_color: colours.theme,
        background_color: colours.background,
        icons: [
          { src: "/icon-192.png", sizes: "192x192", type: "image/png", purpose: "any" },
          { src: "/icon-512.png", sizes: "512x512", type: "image/png", purpose: "any" },
          { src: "/icon-maskable-512.png", sizes: "512x512", type: "image/png", purpose: "maskable" },
        ],
      }),
      { headers: { "Content-Type": "application/manifest+json" } },
    ),
);
