/** A stand-in for remix-serve: the same log, the same way to listen and to close, and answers that a test can read. */
const { createRequire } = require("node:module");

// What remix-serve itself would load.
const fromServe = createRequire(require.resolve("@remix-run/serve/package.json"));
const app = fromServe("express")();
app.use(fromServe("morgan")("tiny"));
// As the bundled app does: another instance of the module than the preload's.
const store = import(
  `${require("node:url").pathToFileURL(require.resolve("../../../server/web/request-store.mjs"))}?bundled`
);
app.get("/facts", async (request, response) => {
  const { requestFacts } = await store;
  await new Promise((resolve) => setTimeout(resolve, Number(request.query.ms ?? 0)));
  response.json({ ...requestFacts(), headers: request.headers });
});
app.post("/body", (request, response) => request.resume().on("end", () => response.send("ok")));
app.get("/slow", (_request, response) => setTimeout(() => response.send("at last"), 700));
app.use((_request, response) => response.send("ok"));
const server = app.listen(0, "127.0.0.1", () => {
  process.stdout.write(`http://127.0.0.1:${server.address().port}\n`);
});
for (const signal of ["SIGTERM", "SIGINT"]) process.once(signal, () => server.close());
