import { spawnSync } from 'node:child_process'

/** Why tests with the real Prometheus are skipped; false where there is one. CI has one. */
export function whyNoPrometheus (): string | false {
  if (['prometheus', 'promtool'].every((program) => spawnSync(program, ['--version']).status === 0)) return false
  if (process.env['CI']) throw new Error('there is no Prometheus: apt-get install prometheus')
  return 'NOT TESTED: prometheus and promtool are not on this machine (apt-get install prometheus)'
}
