import type { Logger } from 'pino'

/** Runs `work` every `intervalMs`, never twice at once. A failure is logged, and the next run tries again. */
export function repeat (name: string, intervalMs: number, log: Logger,
  work: () => Promise<void>): { stop: () => Promise<void> } {
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let current = Promise.resolve()
  const turn = () => {
    current = work()
      .catch((error: unknown) => log.error({ err: error, task: name }, 'periodic task failed'))
      .then(() => {
        if (!stopped) timer = setTimeout(turn, intervalMs).unref()
      })
  }
  timer = setTimeout(turn, intervalMs).unref()
  return {
    async stop () {
      stopped = true
      clearTimeout(timer)
      await current
    }
  }
}
