/** Loaded into every process the stack starts: when the one that started it is gone, whatever the reason, it stops too. */
if (process.channel) {
  process.once("disconnect", () => {
    process.kill(process.pid, "SIGTERM");
    setTimeout(() => process.exit(1), 10_000).unref();
  });
  // Listening must not keep a process alive that has finished.
  process.channel.unref();
}
