interface PauseLine {
  msg: string
  cause: string
  role: string
  pauseMs: number
  cpuMs: number | null
  err: { stack: string }
}

/**
 * Throws when the log tells of code that held up an event loop. The machine of a test may be slow and busy: a pause
 * counts when the thread itself computed for more than 200 ms in it, as the scheduler says, and not when it waited for
 * a core or for a disk.
 */
export function expectNoPauses (log: string): void {
  const pauses = log.split('\n').filter((line) => line.includes('"event loop paused"')).map((line) =>
    JSON.parse(line) as PauseLine
  ).filter(({ cause }) => cause === 'computing')
  if (pauses.length === 0) return
  const texts = pauses.map(({ role, pauseMs, cpuMs, err: { stack } }) =>
    `the event loop of the ${role} stood still for ${pauseMs} ms, computing for ${cpuMs} ms of them:\n${stack}`
  )
  throw new Error(texts.join('\n'))
}
