const lookMs = 500

/**
 * Calls `ended` once when npm's launcher is gone. `npx` runs the command in a shell and hands a signal to that shell
 * only, so without this look a service that was started by npx would outlive it, deaf to signals and holding its port.
 * Any other parent may end: a service put into the background goes on.
 */
export function whenLauncherEnds (ended: () => void): void {
  if (process.env['npm_command'] !== 'exec') return
  const launcher = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === launcher) return
    clearInterval(timer)
    ended()
  }, lookMs)
  timer.unref()
}
