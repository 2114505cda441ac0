import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Counter, Gauge, type Registry } from 'prom-client'
import { deployedCommit } from '../api/deployed-commit.ts'
import { release } from '../release.ts'

const resolutionMs = 10

/** The api process itself; the `process_` names are those that Prometheus libraries share. */
export function watchProcess (registry: Registry): void {
  const build = new Gauge({ name: 'tabcast_build_info', help: 'Always 1; what runs.', labelNames: ['version', 'commit', 'node'], registers: [registry] })
  build.set({ version: release, commit: deployedCommit(), node: process.versions.node }, 1)
  const start = new Gauge({ name: 'process_start_time_seconds', help: 'When the api process was started, seconds since 1970.', registers: [registry] })
  start.set(Math.round(performance.timeOrigin / 1000))
  registry.registerMetric(new Gauge({ name: 'process_resident_memory_bytes', help: 'Resident memory of the api process.', registers: [], collect () { this.set(process.memoryUsage.rss()) } }))
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

  const delay = monitorEventLoopDelay({ resolution: resolutionMs })
  delay.enable()
  registry.registerMetric(new Gauge({
    name: 'tabcast_event_loop_lag_seconds',
    help: 'How late timers of the api process were since the last scrape: the median, p99 and the latest.',
    labelNames: ['statistic'],
    registers: [],
    collect () {
      // `quantile` is a label of summaries alone.
      for (const [statistic, nanoseconds] of [['p50', delay.percentile(50)], ['p99', delay.percentile(99)], ['max', delay.max]] as const) {
        this.set({ statistic }, Math.max(0, nanoseconds / 1e9 - resolutionMs / 1000))
      }
      delay.reset()
    }
  }))
}
