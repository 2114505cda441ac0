const lookMs = 500

/**
 * Calls `ended` once, when npm's launcher is gone. `npx` runs the command in a shell and passes signals to that shell
 * only. Without this check, a service started by npx would outlive it, deaf to signals and holding its port. If any
 * other parent ends, a service in the background goes on.
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
