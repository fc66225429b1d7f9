/** A replacement for remix-serve with the same log and the same way to listen and close, and responses that tests can read. */
import { createRequire } from "node:module";
import { setTimeout as sleep } from "node:timers/promises";
import type express from "express";
import type morgan from "morgan";
// Like the bundled app, a different instance of the module than in the built preload.
import { requestMetadata } from "#server/foundation/web/request-store.ts";

const require = createRequire(import.meta.url);
// The packages that remix-serve itself would load.
const fromServe = createRequire(require.resolve("@remix-run/serve/package.json"));
const createApp: typeof express = fromServe("express");
const accessLog: typeof morgan = fromServe("morgan");

const app = createApp();
app.use(accessLog("tiny"));
app.get("/facts", async (request, response) => {
  await sleep(Number(request.query.ms ?? 0));
  response.json({ ...requestMetadata(), headers: request.headers });
});
app.post("/body", (request, response) => {
  request.resume().on("end", () => response.send("ok"));
});
app.get("/slow", async (_request, response) => {
  await sleep(700);
  response.send("at last");
});
app.use((_request, response) => {
  response.send("ok");
});
const server = app.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object") process.stdout.write(`http://127.0.0.1:${address?.port}\n`);
});
for (const signal of ["SIGTERM", "SIGINT"]) process.once(signal, () => server.close());

// Delays the exit, like a process with a large heap and many threads on a busy machine.
const endingMs = Number(process.env.ENDING_MS ?? 0);
if (endingMs > 0)
  process.once("exit", () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, endingMs));
