/**
 * The reference deployment without containers: the original nginx.conf and pgbouncer.ini in front of two webs and a worker of the
 * built store, started by the commands of the image and services, with their settings. Only addresses and paths are replaced.
 */

import { execFileSync, type SpawnOptions, spawn } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createSecrets, sandboxEnvironment } from "#sandbox/local/environment.ts";
import { buildIfNeeded } from "#sandbox/local/install.mjs";
import { programArguments } from "#sandbox/local/programs.ts";
import { issueCertificate } from "#sandbox/vendors/certificates.ts";
import { type Child, startChild } from "#server/operations/child-process.ts";
import { copyDatabase } from "./copy-database.ts";
import { postgresUser } from "./own-postgres.ts";
import { freePorts } from "./ports.ts";
import {
  addressOf,
  commandOf,
  compose,
  deploymentFolder,
  type Service,
  stageOf,
  upstreams,
} from "./reference-deployment.ts";
import { onServer, type Template } from "./template.ts";
import { textOf } from "./tree.ts";
import { unthrottled } from "./unthrottled.ts";
import { until } from "./until.ts";

const user = "store";
const password = "box-password";
const webNames = ["web-1", "web-2"] as const;
export type WebName = (typeof webNames)[number];

export interface RunningDeployment {
  /** Address that buyers type: the proxy's, with TLS. */
  url: string;
  /** The proxy's address without TLS. */
  plainUrl: string;
  sandboxUrl: string;
  /** Database address through PgBouncer, as the webs use it. */
  pooledUrl: string;
  /** Address of PostgreSQL itself. */
  databaseUrl: string;
  /** Certificate of the proxy in PEM, for clients to trust. */
  certificate: string;
  /** The settings of a web, and of a worker. */
  env: { web: NodeJS.ProcessEnv; worker: NodeJS.ProcessEnv };
  logs(): string[];
  killWeb(name: WebName): Promise<void>;
  /** Sends SIGTERM and waits for the end. */
  stopWeb(name: WebName): Promise<void>;
  startWeb(name: WebName): Promise<void>;
  stop(): Promise<void>;
}

/** Folders in which distributions install programs for administrators. */
const folders = [...(process.env.PATH ?? "").split(":"), "/usr/sbin", "/usr/local/sbin"];

function programOf(name: string): string | undefined {
  return folders.map((folder) => path.join(folder, name)).find((file) => existsSync(file));
}

/** Why the deployment cannot run here; null when it can. */
export function whyNoDeployment(template: Template): string | null {
  const missing = ["nginx", "pgbouncer"].filter((name) => programOf(name) === undefined);
  if (missing.length > 0) return `${missing.join(" and ")} not installed`;
  return template.kind === "server" ? null : "no PostgreSQL whose user can create databases";
}

/** @param env added to the deployment's settings, for webs and worker */
export async function startDeployment(
  template: Template & { kind: "server" },
  env: Record<string, string> = {},
): Promise<RunningDeployment> {
  await buildIfNeeded();
  const cleanUps: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (let last = cleanUps.pop(); last !== undefined; last = cleanUps.pop()) await last();
  };
  try {
    return { ...(await startParts(template, env, cleanUps)), stop };
  } catch (failure) {
    await stop();
    throw failure;
  }
}

async function startParts(
  template: Template & { kind: "server" },
  more: Record<string, string>,
  cleanUps: (() => Promise<unknown>)[],
): Promise<Omit<RunningDeployment, "stop">> {
  const lines: string[] = [];
  const onLine = (line: string, name: string) => lines.push(`${name}: ${line}`);
  const folder = mkdtempSync(path.join(tmpdir(), "hubs-box-"));
  // Proxy and pooler run as separate users.
  chmodSync(folder, 0o755);
  cleanUps.push(async () => rmSync(folder, { recursive: true, force: true }));
  const place = (name: string, text: string) => {
    const file = path.join(folder, name);
    writeFileSync(file, text);
    return file;
  };

  const database = await copyDatabase(template);
  cleanUps.push(() => database.destroy());
  const [https = 0, http = 0, pooled = 0, sandboxPort = 0, smtpPort = 0, ...webPorts] = await freePorts(7);
  const url = `https://localhost:${https}`;
  const pooledUrl = `postgres://${user}:${password}@127.0.0.1:${pooled}/${user}`;
  const { privateKey, certificate } = certificateOf("localhost");
  const certificateFile = place("store.crt", certificate);

  await startPooler();
  const sandboxEnv = sandboxEnvironment({
    port: https,
    sandboxPort,
    smtpPort,
    databaseUrl: database.url,
    dataDir: folder,
    secrets: createSecrets(),
  });
  const common: NodeJS.ProcessEnv = {
    ...process.env,
    ...sandboxEnv,
    PUBLIC_URL: url,
    NODE_ENV: "production",
    NODE_EXTRA_CA_CERTS: certificateFile,
    SANDBOX_DELAY_SCALE: "0",
    ...unthrottled,
    WORKER_POLL_MS: "100",
    // The product's processes must not see Vitest's variable.
    VITEST: undefined,
  };
  /** Both webs are on one machine, and cannot use the same internal port. */
  const noMetrics = { METRICS_PORT: "", WORKER_METRICS_PORT: "" };
  const services = compose().services;
  const env: RunningDeployment["env"] = {
    web: { ...common, ...serviceOf("web-1").environment, ...noMetrics, DATABASE_URL: pooledUrl, ...more },
    worker: {
      ...common,
      ...serviceOf("worker-1").environment,
      ...noMetrics,
      DATABASE_URL: database.url,
      ...more,
    },
  };

  const running = new Map<string, Child>();
  function begin(name: string, args: readonly string[], of: NodeJS.ProcessEnv): void {
    running.set(name, startChild({ name, args, env: of, onLine }));
  }
  async function end(name: string, how: (child: Child) => Promise<void>): Promise<void> {
    const child = running.get(name);
    running.delete(name);
    if (child !== undefined) await how(child);
  }
  cleanUps.push(async () => {
    for (const name of [...running.keys()]) await end(name, (child) => child.stop());
  });

  async function startWeb(name: WebName): Promise<void> {
    const port = webPorts[webNames.indexOf(name)] ?? 0;
    begin(name, commandOf(stageOf("store")).slice(1), { ...env.web, PORT: String(port) });
    await answers(`http://127.0.0.1:${port}/readyz`, () => lines);
  }

  begin("sandbox", programArguments("sandbox"), common);
  await answers(`http://127.0.0.1:${sandboxPort}/health`, () => lines);
  await Promise.all(webNames.map(startWeb));
  begin("worker-1", (serviceOf("worker-1").command ?? []).slice(1), env.worker);
  await until("the worker is ready", () => lines.some((line) => line.includes("the worker is ready")));
  await startProxy();

  return {
    url,
    plainUrl: `http://localhost:${http}`,
    sandboxUrl: `http://127.0.0.1:${sandboxPort}`,
    pooledUrl,
    databaseUrl: database.url,
    certificate,
    env,
    logs: () => [...lines],
    killWeb: (name) => end(name, (child) => child.kill()),
    stopWeb: (name) => end(name, (child) => child.stop()),
    startWeb,
  };

  function serviceOf(name: string): Service {
    const service = services[name];
    if (service === undefined) throw new Error(`compose.yaml has no service ${name}`);
    return service;
  }

  async function startPooler(): Promise<void> {
    const target = new URL(database.url);
    const server = `host=${target.hostname} port=${target.port || 5432} dbname=${target.pathname.slice(1)}`;
    const users = place(
      "userlist.txt",
      `"${user}" "${password}"\n"${target.username}" "${target.password}"\n`,
    );
    const ini = place(
      "pgbouncer.ini",
      moved(textOf(`${deploymentFolder}/pgbouncer.ini`), {
        "store = host=postgres port=5432 dbname=store": `store = ${server} user=${target.username}`,
        "listen_port = 6432": `listen_port = ${pooled}`,
        "/tmp/userlist.txt": users,
      }),
    );
    // It refuses to run as root.
    cleanUps.push(startProgram("pgbouncer", [ini], postgresUser(), onLine));
    await until("PgBouncer answers", () =>
      onServer(pooledUrl, "select 1").then(
        () => true,
        () => false,
      ),
    );
  }

  async function startProxy(): Promise<void> {
    mkdirSync(path.join(folder, "cache"));
    chmodSync(path.join(folder, "cache"), 0o777);
    const servers = webNames.map(
      (name) => `${addressOf(serviceOf(name))}:${serviceOf(name).environment?.PORT}`,
    );
    const configuration = place(
      "nginx.conf",
      moved(textOf(`${deploymentFolder}/nginx.conf`), {
        "pid /tmp/": `pid ${folder}/`,
        "/var/cache/nginx/": `${folder}/cache/`,
        "listen 80;": `listen ${http};`,
        "https://$host$request_uri": `https://$host:${https}$request_uri`,
        "listen 443 ": `listen ${https} `,
        "/etc/nginx/certificates/store.crt": certificateFile,
        "/etc/nginx/certificates/store.key": place("store.key", privateKey),
        ...Object.fromEntries(
          upstreams().map((server) => [server, `127.0.0.1:${webPorts[servers.indexOf(server)]}`]),
        ),
      }),
    );
    execFileSync(programOf("nginx") ?? "", ["-t", "-q", "-c", configuration], { stdio: "pipe" });
    cleanUps.push(startProgram("nginx", ["-c", configuration, "-g", "daemon off;"], {}, onLine));
    await answers(`http://localhost:${http}/`, () => lines);
  }
}

/** The text with its addresses and paths replaced, each of which must occur in it. */
function moved(text: string, places: Readonly<Record<string, string>>): string {
  return Object.entries(places).reduce((changed, [from, to]) => {
    if (!changed.includes(from)) throw new Error(`${from} is no longer in the file`);
    return changed.replaceAll(from, to);
  }, text);
}

/** @returns a function that ends it */
function startProgram(
  name: string,
  args: readonly string[],
  who: Pick<SpawnOptions, "uid" | "gid">,
  onLine: (line: string, name: string) => void,
): () => Promise<void> {
  const child = spawn(programOf(name) ?? name, args, { ...who, stdio: ["ignore", "pipe", "pipe"] });
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (part: Buffer) => onLine(part.toString().trimEnd(), name));
  const ended = new Promise((resolve) => child.once("close", resolve));
  return async () => {
    child.kill("SIGTERM");
    await ended;
  };
}

function certificateOf(name: string): { privateKey: string; certificate: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const subject = { organisation: "Tests", name };
  const hourMs = 3_600_000;
  const certificate = issueCertificate({
    subject,
    publicKey,
    issuer: { ...subject, privateKey },
    isAuthority: true,
    from: new Date(Date.now() - hourMs),
    to: new Date(Date.now() + 24 * hourMs),
  });
  return { privateKey: privateKey.export({ type: "pkcs8", format: "pem" }).toString(), certificate };
}

function answers(url: string, lines: () => readonly string[]): Promise<void> {
  return until(`${url} answers`, () =>
    fetch(url, { redirect: "manual", signal: AbortSignal.timeout(5_000) }).then(
      ({ status }) => status < 500,
      () => false,
    ),
  ).catch((cause: unknown) => {
    throw new Error(lines().slice(-30).join("\n"), { cause });
  });
}
