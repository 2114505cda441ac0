/**
 * Measures the processor time in milliseconds that this thread has used since, provided it does not wait. Wall time
 * includes time when others had the core, and the process's time includes its other threads, so the smaller of the two
 * is closest to the truth.
 */
export function startClock (): () => number {
  const startMs = performance.now()
  const before = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(before)
    return Math.min(performance.now() - startMs, (user + system) / 1000)
  }
}
