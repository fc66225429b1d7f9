/**
 * The reference deployment (docs/operate/reference-deployment) names only commands, files, ports, health check paths and
 * settings that exist, and its files agree with each other.
 */
import { existsSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { buildSources } from "#sandbox/local/install.mjs";
import * as paths from "#server/foundation/paths.ts";
import { builtCommands } from "#server/operations/built-commands.mjs";
import { webArguments } from "#server/operations/web-arguments.ts";
import { listSettings } from "#server/platform/settings/list.ts";
import {
  addressOf,
  buildContext,
  commandOf,
  compose,
  deploymentFolder,
  dockerStages,
  filesOfImage,
  instructionValues,
  pooler,
  type Service,
  scrapes,
  stageOf,
  unit,
  upstreams,
} from "#tests/support/reference-deployment.ts";
import { projectFolder, textOf } from "#tests/support/tree.ts";

const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(textOf("package.json")));
const { services, networks, volumes } = compose();
const isOurs = ({ build }: Service) => build?.target === "store";
const ours = Object.entries(services).filter(([, service]) => isOurs(service));
const named = (pattern: RegExp) => ours.filter(([name]) => pattern.test(name)).map(([, service]) => service);
const webs = named(/^web-/);
const workers = named(/^worker-/);

const exists = (file: string) => existsSync(path.join(projectFolder, file));
/** Joins a command as it appears in the scripts of package.json. */
const asScript = (command: readonly string[]) => command.join(" ");
/** The port and the path of a health check, which is one line of JavaScript. */
const probeOf = (check: string) => /fetch\('http:\/\/127\.0\.0\.1:(\d+)(\/[a-z]+)'\)/.exec(check)?.slice(1);
const secondsOf = (span = "") => Number(/^(\d+)s$/.exec(span)?.[1]);

describe("the image", () => {
  const store = stageOf("store");

  test("copies only files that exist, and everything the build produces for a process", () => {
    const { first, taken } = buildContext();
    expect(first).toBe("*");
    expect(taken.filter((file) => !exists(file))).toEqual([]);
    // The image leaves out the sandbox, which runs on one machine only.
    expect(taken).toEqual(expect.arrayContaining(buildSources.filter((source) => source !== "sandbox")));
    expect(taken).not.toContain("sandbox");
    expect(taken.filter((file) => /env|\.git$|\.data|node_modules/.test(file))).toEqual([]);
    const copied = instructionValues(stageOf("build"), "COPY")
      .flatMap((rest) => rest.split(" ").slice(0, -1))
      .filter((file) => file !== ".");
    expect(copied.filter((file) => !taken.includes(file))).toEqual([]);
    expect(copied).toContain("package-lock.json");
    const made = ["build", "node_modules"];
    expect(filesOfImage().filter((file) => !made.includes(file) && !exists(file))).toEqual([]);
    expect(filesOfImage()).toEqual(expect.arrayContaining(made));
  });

  test("builds with the scripts of package.json and drops development packages", () => {
    const runs = instructionValues(stageOf("build"), "RUN").join(" && ");
    const typed = [...runs.matchAll(/npm run (\S+)/g)].map(([, script = ""]) => script);
    expect(typed).toEqual(["build"]);
    expect(typed.filter((script) => scripts[script] === undefined)).toEqual([]);
    expect(runs).toMatch(/npm ci && .*npm run build && npm prune --omit=dev$/);
  });

  test("runs as an unprivileged user, with Node as process 1 in the version of .nvmrc", () => {
    expect(instructionValues(store, "USER")).toEqual(["node"]);
    expect(asScript(commandOf(store))).toBe(scripts.serve);
    expect(commandOf(store)).toEqual([
      "node",
      "--import",
      "./build/commands/preload.js",
      ...webArguments().slice(2),
    ]);
    for (const { from, name } of dockerStages())
      if (name !== "pgbouncer")
        expect(from).toBe(
          `node:${textOf(".nvmrc")
            .trim()
            .replace(/^v?(\d+).*/, "$1")}-bookworm-slim`,
        );
  });

  test("checks its health on the default port, at a path that exists", () => {
    expect(probeOf(instructionValues(store, "HEALTHCHECK").join())).toEqual(["3000", paths.live()]);
    expect(instructionValues(store, "EXPOSE")).toEqual(["3000"]);
  });

  test("contains no setting but NODE_ENV", () => {
    expect(dockerStages().flatMap((stage) => instructionValues(stage, "ARG"))).toEqual([]);
    expect(dockerStages().flatMap((stage) => instructionValues(stage, "ENV"))).toEqual([
      "NODE_ENV=production",
    ]);
  });
});

describe("the compose file", () => {
  test("runs two webs, two workers and the services that they need", () => {
    expect([webs.length, workers.length]).toEqual([2, 2]);
    expect(Object.keys(services)).toEqual(
      expect.arrayContaining(["proxy", "migrate", "seed", "pgbouncer", "postgres", "prometheus", "grafana"]),
    );
    const ofMetrics = Object.entries(services).filter(([, { profiles }]) => profiles !== undefined);
    expect(ofMetrics.map(([name]) => name)).toEqual(["prometheus", "grafana"]);
  });

  test("pins image versions, and builds the store's images from the Dockerfile's stages", () => {
    for (const { image, build } of Object.values(services)) {
      if (build === undefined) expect(image).toMatch(/:v?\d+[\w.-]*$/);
      else {
        expect(path.join(deploymentFolder, build.context)).toBe(".");
        expect(build.dockerfile).toBe(`${deploymentFolder}/Dockerfile`);
        stageOf(build.target);
      }
    }
  });

  test("sets only variables that the product reads", () => {
    // remix-serve reads PORT and HOST.
    const known = [...listSettings().map(({ name }) => name), "PORT", "HOST"];
    const set = ours.flatMap(([, { environment = {} }]) => Object.keys(environment));
    expect(set).toContain("DATABASE_URL");
    expect(set.filter((name) => !known.includes(name))).toEqual([]);
  });

  test("runs built commands, with the arguments of package.json's scripts", () => {
    const run = (name: string) => asScript(services[name]?.command ?? []);
    expect(run("migrate")).toBe(scripts.migrate);
    expect(run("seed")).toBe(scripts.seed);
    for (const { command } of workers) expect(asScript(command ?? [])).toBe(scripts.worker);
    const files = ours.flatMap(([, { command = [] }]) => command.slice(-1));
    const built = builtCommands.map((command) => `build/commands/${command}.js`);
    expect(files.filter((file) => !built.includes(file))).toEqual([]);
    for (const { command } of webs) expect(command).toBeUndefined();
  });

  test("names only services, networks, volumes and files that exist", () => {
    for (const { depends_on = {}, networks: used = [], volumes: mounted = [] } of Object.values(services)) {
      const waited = Array.isArray(depends_on) ? depends_on : Object.keys(depends_on);
      expect(waited.filter((name) => services[name] === undefined)).toEqual([]);
      const joined = Array.isArray(used) ? used : Object.keys(used);
      expect(joined.filter((name) => !Object.hasOwn(networks, name))).toEqual([]);
      for (const [source = ""] of mounted.map((each) => each.split(":"))) {
        // The operator provides the certificates.
        if (source === "./certificates") continue;
        if (source.startsWith("."))
          expect([source, exists(path.join(deploymentFolder, source))]).toEqual([source, true]);
        else expect(Object.hasOwn(volumes, source)).toBe(true);
      }
    }
  });

  test("checks workers on their internal port and gives their jobs time to finish", () => {
    const { TimeoutStopSec } = unit("store-worker");
    for (const { healthcheck, environment = {}, stop_grace_period } of workers) {
      expect(probeOf(healthcheck?.test?.join() ?? "")).toEqual([
        environment.WORKER_METRICS_PORT,
        paths.live(),
      ]);
      expect(secondsOf(stop_grace_period)).toBe(Number(TimeoutStopSec));
    }
    for (const { stop_grace_period } of webs)
      expect(secondsOf(stop_grace_period)).toBe(Number(unit("store-web").TimeoutStopSec));
  });

  test("archives PostgreSQL's WAL to a separate volume", () => {
    const { command = [], volumes: mounted = [] } = services.postgres ?? {};
    const archive = command.find((each) => each.startsWith("archive_command="));
    expect(command).toContain("archive_mode=on");
    expect(archive).toContain("test ! -f /archive/%f && cp %p /archive/");
    expect(mounted).toEqual(expect.arrayContaining(["archive:/archive"]));
  });
});

describe("the deployment", () => {
  test("balances requests between the webs at their fixed addresses and ports", () => {
    const listening = webs.map((web) => `${addressOf(web)}:${web.environment?.PORT}`);
    expect(upstreams()).toEqual(listening);
    for (const { environment = {} } of webs) expect(environment.TRUSTED_PROXIES).toBe("1");
  });

  test("sends webs through PgBouncer, and processes that listen or migrate to PostgreSQL", () => {
    const { listen_port, pool_mode, ignore_startup_parameters, store } = pooler();
    expect(pool_mode).toBe("transaction");
    // PgBouncer would silently drop ignored startup parameters, so the setting would have no effect.
    expect(ignore_startup_parameters).toBe("");
    expect(store).toBe("host=postgres port=5432 dbname=store");
    for (const [name, { environment = {} }] of ours) {
      const url = new URL((environment.DATABASE_URL ?? "").replace(/\$\{\w+:\?\}/, "secret"));
      const isPooled = name.startsWith("web-");
      expect([name, url.hostname, url.port, url.pathname]).toEqual([
        name,
        isPooled ? "pgbouncer" : "postgres",
        isPooled ? listen_port : "5432",
        "/store",
      ]);
      expect([name, environment.DATABASE_POOLER]).toEqual([name, isPooled ? "transaction" : undefined]);
    }
  });

  test("waits no longer for a pooled session than for a connection of the process", () => {
    const fallback = listSettings().find(({ name }) => name === "DATABASE_ACQUIRE_TIMEOUT_MS")?.fallback;
    expect(Number(pooler().query_wait_timeout) * 1_000).toBe(Number(fallback));
  });

  test("scrapes every web and worker, with the rules and the jobs that they name", () => {
    const { ruleFiles, targets } = scrapes();
    const at = (pattern: RegExp, setting: string) =>
      ours
        .filter(([name]) => pattern.test(name))
        .map(([name, { environment = {} }]) => `${name}:${environment[setting]}`);
    expect(targets).toEqual({
      "store-web": at(/^web-/, "METRICS_PORT"),
      "store-worker": at(/^worker-/, "WORKER_METRICS_PORT"),
    });
    for (const { environment = {} } of [...webs, ...workers])
      expect(environment.METRICS_HOST).toBe("0.0.0.0");
    const mounted = services.prometheus?.volumes?.map((each) => each.split(":")[1]);
    expect(mounted).toEqual(expect.arrayContaining(ruleFiles.map((file) => `/etc/prometheus/${file}`)));
    expect(textOf("docs/operate/alerts.yml")).toContain('job=~"store-.*"');
  });
});

test("starts the same processes from the systemd units as from the image", () => {
  const started = (name: "store-web" | "store-worker") => unit(name).ExecStart?.replace(/^\/usr\/bin\//, "");
  expect(started("store-web")).toBe(scripts.serve);
  expect(started("store-worker")).toBe(scripts.worker);
  expect(unit("store-worker").KillMode).toBe("mixed");
});
