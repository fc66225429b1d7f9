// The build: Vite's configuration with the Remix plugin. Vitest has its own, tests/vitest.config.ts.
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { vitePlugin as remix } from "@remix-run/dev";
import { minify } from "terser";
import { build, defineConfig } from "vite";
import { denyImports } from "vite-env-only";
import { packFiles } from "./server/foundation/web/files.ts";
import { builtCommands, builtFolder, builtMigrationsFolder } from "./server/operations/built-commands.mjs";

/** Also used by the empty app that `npm run bench` compares with. */
export const remixFlags = {
  v3_fetcherPersist: true,
  v3_lazyRouteDiscovery: true,
  v3_relativeSplatPath: true,
  v3_routeConfig: true,
  v3_singleFetch: true,
  v3_throwAbortReason: true,
};

/** Modules of hydrated pages. */
const ofHydratedPages =
  /\/(app\/(enhance|families|forms|journey|styles|ui)|server\/foundation\/(digits|paths)\.ts)/;
/** The first step of every journey, for new and existing orders, and the head that only its page has of all that are hydrated. */
const ofFirstStep =
  /\/app\/(journey\/subscription-details\/(destination-field|details-form|live-total|new-journey)|ui\/indexed-page)/;
/** What the steps after the account say of the order, and the button of a password that Sign-In has. */
const ofLaterSteps =
  /\/app\/(forms\/show-password|journey\/(references-fields|review|terms-field|order-progress))\.tsx/;
/** Who and where a company is: asked at Create Account, and on plain pages. */
const ofCompany = /\/app\/forms\/(address-fields|select-field)\.tsx/;
/** What plain pages show in their header. Hydrated ones are drawn by the server there. */
const ofPlainPages = /\/app\/ui\/navigation\.ts/;
/** Said by the first step and by Sign-In, which would load the other's file for it. */
const ofBoth = /\/app\/families\/google\/transfer-help\.tsx/;
/** Modules that only plain pages or a single hydrated page use. The other pages need not load them. */
const notShared =
  /\/app\/(enhance\/show-password|ui\/(artwork|choice|code-list|contact-us|copyable|date-text|dead-link|empty-state|impersonation-banner|list|monthly-chart|printable-document|progress|qr-image|step-list|tiles)|forms\/(account-email|code-field|file-field|login-email|new-password-fields|show-password|text-area-field)|journey\/[a-z-]+\/|families\/)/;

/**
 * Puts the code that hydrated pages share into one file: every further file costs its headers, and a larger file compresses
 * better.
 * @param {string} id
 */
function chunkOf(id) {
  if (id.includes("/node_modules/")) return "framework";
  if (ofFirstStep.test(id)) return "first-step";
  if (ofLaterSteps.test(id)) return "later-steps";
  if (ofCompany.test(id)) return "company";
  if (ofPlainPages.test(id)) return "plain-pages";
  return ofBoth.test(id) || (ofHydratedPages.test(id) && !notShared.test(id)) ? "shared" : undefined;
}

/**
 * Minifies for browsers: compressed, the result is a twentieth smaller than with Vite's own minifier. The licences of what is
 * shipped go into one separate file instead of before each part.
 * @returns {import("vite").Plugin}
 */
function smallerForBrowsers() {
  /** @type {Set<string>} */
  const licences = new Set();
  return {
    name: "smaller-for-browsers",
    apply: "build",
    renderChunk: {
      order: "post",
      handler: async (code) => {
        // Read before the minifier, which drops a comment with the expression it stands at.
        for (const [comment] of code.matchAll(/\/\*\*\n(?: \*.*\n)*? \*\//g))
          if (comment.includes("@license")) licences.add(comment);
        const { code: smaller = code } = await minify(code, {
          module: true,
          ecma: 2020,
          compress: { passes: 3 },
          format: { wrap_func_args: false, comments: false },
        });
        return { code: smaller, map: null };
      },
    },
    generateBundle() {
      if (licences.size === 0) return;
      this.emitFile({ type: "asset", fileName: "licences.txt", source: [...licences, ""].join("\n") });
    },
  };
}

/**
 * The routes by name and path, as a module of their own. The build has them too, but it imports the module that asks: while the development
 * server loads that circle, a second request would be given a half of it.
 * @returns {import("vite").Plugin}
 */
function routesByThemselves() {
  const id = "virtual:routes";
  /** @type {import("vite").ResolvedConfig | undefined} */
  let resolved;
  return {
    name: "routes-by-themselves",
    configResolved(config) {
      resolved = config;
    },
    resolveId: (requested) => (requested === id ? `\0${id}` : undefined),
    load(requested) {
      if (requested !== `\0${id}` || resolved === undefined) return undefined;
      const { remixConfig } = Reflect.get(resolved, "__remixPluginContext");
      return `export const routes = ${JSON.stringify(remixConfig.routes)};`;
    },
  };
}

/** Packages of some hundred small files, which cost each process a third of its start: they go into the server's files. */
const ofManyFiles = ["kysely", "zod", "jose", "@opentelemetry/api"];

/** Builds what runs beside the web process: see server/operations/built-commands.mjs. @param {string[]} input @param {string} outDir */
function buildForNode(input, outDir) {
  return build({
    configFile: false,
    logLevel: "warn",
    publicDir: false,
    ssr: { noExternal: ofManyFiles },
    build: {
      ssr: true,
      target,
      outDir,
      sourcemap: true,
      // Chunks go beside the entries, so that code which locates the project relative to its own file works in every file.
      rollupOptions: { input, output: { chunkFileNames: "[name]-[hash].js" } },
    },
  });
}

const target = "es2022";
/** The web process of this build does not start until these have run. */
const migrations = readdirSync("migrations").map((file) => `migrations/${file}`);
/** What `npm start` runs beside the store. An image is built without the folder. */
const sandboxPrograms = [
  "sandbox/local/sandbox.ts",
  "sandbox/local/embedded-postgres.ts",
  "sandbox/demo/demo-seed.ts",
].filter((file) => existsSync(file));
const builtMigrations = migrations.map((file) => path.basename(file, ".ts"));
export default defineConfig(({ isSsrBuild, command }) => ({
  plugins: [
    denyImports({
      client: {
        files: [
          "**/server/**/!(paths|digits|total).ts",
          "**/sandbox/**",
          "**/db/**/*.ts",
          "**/migrations/**",
        ],
      },
    }),
    ...(isSsrBuild ? [] : [smallerForBrowsers()]),
    routesByThemselves(),
    remix({
      appDirectory: "app",
      future: remixFlags,
      async buildEnd() {
        packFiles("build/client");
        const commands = builtCommands.map((command) => `server/operations/commands/${command}.ts`);
        const besides = ["server/operations/commands/pdf-renderers.ts", "server/foundation/web/preload.ts"];
        await buildForNode([...commands, ...besides], builtFolder);
        await buildForNode(migrations, builtMigrationsFolder);
        if (sandboxPrograms.length > 0) await buildForNode(sandboxPrograms, "build/sandbox");
      },
    }),
  ],
  define: { builtMigrations: JSON.stringify(builtMigrations) },
  ssr: { noExternal: command === "build" ? ofManyFiles : [] },
  // For app/enhance. Also in the server's build, which must compute the same file name for it.
  worker: { plugins: () => [smallerForBrowsers()] },
  // For `npm run dev`. Left to its own discovery, Vite takes server packages for browser ones, fails on one of them, and no
  // page is hydrated.
  optimizeDeps: { noDiscovery: true, include: ["@conform-to/react", "react-dom"] },
  build: {
    target,
    assetsInlineLimit: 0,
    cssMinify: true,
    rollupOptions: isSsrBuild ? {} : { output: { manualChunks: chunkOf } },
  },
}));
