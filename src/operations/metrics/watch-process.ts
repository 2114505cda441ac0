import { Counter, Gauge, type Registry } from 'prom-client'
import { deployedCommit } from '../../platform/process/deployed-commit.ts'
import { release } from '../../platform/process/release.ts'

/** Metrics of the api process itself. Prometheus libraries share the names that begin with `process_`. */
export function watchProcess (registry: Registry): void {
  const build = new Gauge({
    name: 'tabcast_build_info',
    help: 'Always 1; what runs.',
    labelNames: ['version', 'commit', 'node'],
    registers: [registry]
  })
  build.set({ version: release, commit: deployedCommit(), node: process.versions.node }, 1)
  const start = new Gauge({
    name: 'process_start_time_seconds',
    help: 'When the api process was started, seconds since 1970.',
    registers: [registry]
  })
  start.set(Math.round(performance.timeOrigin / 1000))
  registry.registerMetric(
    new Gauge({
      name: 'process_resident_memory_bytes',
      help: 'Resident memory of the api process.',
      registers: [],
      collect () {
        this.set(process.memoryUsage.rss())
      }
    })
  )
  registry.registerMetric(new Counter({
    name: 'process_cpu_seconds_total',
    help: 'CPU time of the api process.',
    registers: [],
    collect () {
      const { user, system } = process.cpuUsage()
      this.reset()
      this.inc((user + system) / 1e6)
    }
  }))
}
