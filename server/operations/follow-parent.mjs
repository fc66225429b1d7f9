/** Loaded into every process that the stack starts: stops the process when its parent is gone, for whatever reason. */
if (process.channel) {
  process.once("disconnect", () => {
    process.kill(process.pid, "SIGTERM");
    setTimeout(() => process.exit(1), 10_000).unref();
  });
  // The listener must not keep a finished process alive.
  process.channel.unref();
}
