import { execFileSync, spawn } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import t from 'tap'
import { findFreePort } from '../../../src/commands/demo/private-service.ts'
import { whyNoPrometheus } from '../../support/prometheus.ts'
import { Client, panelCsv, startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

/* What an operator does with deploy/prometheus and deploy/grafana, with the real Prometheus. */

interface Target {
  health: string
  lastError: string
  labels: Record<string, string>
}
interface Answer<T> {
  status: string
  error?: string
  data: T
}
interface Vector {
  result: { metric: Record<string, string>, value: [number, string] }[]
}

const skip = whyNoPrometheus()

t.test('a real Prometheus scrapes a service, and knows what dashboard and alerts ask it', { skip }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tabcast-prometheus-'))
  const [metricsPort, port] = [await findFreePort(), await findFreePort()]
  const service = await startService({ TABCAST_METRICS_PORT: String(metricsPort) })
  copyFileSync('deploy/prometheus/alerts.yaml', join(folder, 'alerts.yaml'))
  const config = readFileSync('deploy/prometheus/prometheus.yaml', 'utf8')
  writeFileSync(join(folder, 'prometheus.yaml'),
    config.replaceAll('15s', '1s').replace('127.0.0.1:9464', `127.0.0.1:${metricsPort}`))
  const prometheus = spawn('prometheus', [`--config.file=${join(folder, 'prometheus.yaml')}`,
    `--storage.tsdb.path=${join(folder, 'tsdb')}`, `--web.listen-address=127.0.0.1:${port}`], { stdio: 'ignore' })
  const ended = new Promise((resolve) => prometheus.once('exit', resolve))
  t.teardown(async () => {
    prometheus.kill('SIGTERM')
    await ended
    rmSync(folder, { recursive: true, force: true })
    await service.cleanup()
  })
  const ask = async <T>(path: string): Promise<T | undefined> => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`).then(
      async (response) => await response.json() as Answer<T>,
      () => undefined
    )
    if (answer?.status === 'error') throw new Error(`${path}: ${answer.error}`)
    return answer?.data
  }
  const query = async (expression: string) =>
    (await ask<Vector>(`query?query=${encodeURIComponent(expression)}`))?.result ?? []

  const client = new Client(service.baseUrl, await service.createKey('acme'))
  const { job_id: id } = await client.submitted(panelCsv(2, 48), { prediction_length: '2' })
  t.match(await client.ended(id), { status: 'completed' })

  await until('a scrape with the job in it',
    async () => (await query('tabcast_jobs_ended_total{outcome="completed"}'))[0]?.value[1] === '1')
  const { activeTargets } = await ask<{ activeTargets: Target[] }>('targets') ?? { activeTargets: [] }
  t.match(activeTargets, [{ health: 'up', lastError: '', labels: { job: 'tabcast' } }])
  t.equal(activeTargets.length, 1)
  // Prometheus drops samples that it cannot take and counts them; a scrape as a whole stays up.
  for (const lost of ['prometheus_target_scrapes_sample_duplicate_timestamp_total',
    'prometheus_target_scrapes_sample_out_of_order_total']) t.strictSame(await query(lost), [])

  const { panels } = JSON.parse(readFileSync('deploy/grafana/tabcast.json', 'utf8')) as {
    panels: { targets?: { expr: string }[] }[]
  }
  const asked = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
  t.ok(asked.length > 30)
  for (const expression of asked) await t.resolves(query(expression.replaceAll('$__rate_interval', '30s')), expression)
  for (const shown of ['tabcast_workers', 'sum(tabcast_worker_slots)', 'tabcast_lmdb_used_bytes',
    'process_resident_memory_bytes', 'tabcast_build_info']) {
    t.ok((await query(shown)).length > 0, `${shown} has values`)
  }

  const { groups } = await ask<{ groups: { rules: { name: string, health: string, state: string }[] }[] }>('rules') ??
    { groups: [] }
  const rules = groups.flatMap(({ rules }) => rules)
  t.ok(rules.length > 8)
  await until('every rule evaluated', async () => {
    const { groups } = await ask<{ groups: { rules: { health: string }[] }[] }>('rules') ?? { groups: [] }
    return groups.flatMap(({ rules }) => rules).every(({ health }) => health === 'ok')
  })
  t.strictSame(rules.filter(({ state }) => state !== 'inactive').map(({ name }) => name), [],
    'a service that is well raises no alarm')

  const lint = execFileSync('promtool', ['check', 'metrics'], {
    input: await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text(),
    encoding: 'utf8'
  })
  t.equal(lint.trim(), '', 'names and types are as Prometheus wants them')
})

t.test('alerts begin when they should, and not before', { skip }, async (t) => {
  execFileSync('promtool', ['check', 'config', 'deploy/prometheus/prometheus.yaml'])
  const said = execFileSync('promtool', ['test', 'rules', resolve('test/operations/metrics/alerts.test.yaml')], {
    encoding: 'utf8'
  })
  t.match(said, /SUCCESS/)
})
