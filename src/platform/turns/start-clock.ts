/**
 * Milliseconds of a core that a thread which does not wait has used since. Time that passes counts while others had the
 * core, and the time of the process counts its other threads: the smaller one is nearest to the truth.
 */
export function startClock (): () => number {
  const startMs = performance.now()
  const before = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(before)
    return Math.min(performance.now() - startMs, (user + system) / 1000)
  }
}
