import { readFileSync } from 'node:fs'
import t from 'tap'
import { parse } from 'yaml'
import { findFreePort } from '../../../src/commands/demo/private-service.ts'
import { EventReader } from '../../support/event-source.ts'
import { parsePrometheus, valueOf } from '../../support/prometheus-text.ts'
import { Client, panelCsv, startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

/*
 * One deployment as `tabcast serve` runs it: its metrics, what is written about them, the trace of a job through its
 * processes.
 */

const names = /\b(?:tabcast|process)_[a-z0-9_]+/g
const sampleSuffix = /_(?:bucket|sum|count)$/

t.test('a deployment that is watched', async (t) => {
  const port = await findFreePort()
  const service = await startService({ TABCAST_METRICS_PORT: String(port) })
  t.teardown(service.cleanup)
  const client = new Client(service.baseUrl, await service.createKey('acme'))
  const scrape = async () => parsePrometheus(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text())
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
  const answer = await client.submit(panelCsv(1, 48), { prediction_length: '2' }, 'secret-name.csv', {
    traceparent: `00-${traceId}-00f067aa0ba902b7-01`,
    'x-request-id': 'watched-1'
  })
  t.equal(answer.status, 202)
  const { job_id: jobId } = await answer.json() as { job_id: string }
  const reader = await EventReader.open(`${service.baseUrl}/jobs/${jobId}/events`, {
    authorization: `Bearer ${client.key}`
  })
  await reader.next('state', ({ status }) => status === 'completed')
  await reader.untilEnded()

  for (const role of ['api', 'worker']) {
    const lines = service.log().split('\n').filter((line) => line.startsWith('{')).map((line) =>
      JSON.parse(line) as Record<string, unknown>
    )
    const own = lines.filter((line) => line['role'] === role && line['jobId'] === jobId)
    t.ok(own.length > 0, `${role} says something of the job`)
    for (const line of own) t.match(line, { requestId: 'watched-1', traceId, run: String })
  }
  t.notMatch(service.log(), 'secret-name')

  const metrics = await until('the memory of the slots', async () => {
    const families = await scrape()
    return Number(valueOf(families, 'tabcast_worker_slots_resident_memory_bytes', { worker: '1' })) > 0
      ? families
      : undefined
  })
  t.equal(valueOf(metrics, 'tabcast_jobs_ended_total', { outcome: 'completed' }), 1)
  t.ok(Number(valueOf(metrics, 'tabcast_worker_resident_memory_bytes', { worker: '1' })) > 1e7)
  t.equal(
    valueOf(metrics, 'tabcast_http_request_duration_seconds', { route: '/jobs/:job_id/events', status: '2xx' },
      '_count'),
    1
  )

  const exported = [...metrics.keys()].sort()
  const table = readFileSync('src/operations/metrics/README.md', 'utf8').split('<!-- metrics:begin -->')[1]?.split(
    '<!-- metrics:end -->'
  )[0] ?? ''
  const documented = [...table.matchAll(/^\| `([a-z_]+)` \| (\w+) \|/gm)].map(([, name = '', type = '']) => ({
    name,
    type
  }))
  t.strictSame(documented.map(({ name }) => name).sort(), exported, 'the README lists every metric, and no other')
  for (const { name, type } of documented) t.equal(metrics.get(name)?.type, type, `${name} is a ${type}`)

  const { groups } = parse(readFileSync('deploy/prometheus/alerts.yaml', 'utf8')) as {
    groups: Array<{ rules: Array<{ alert: string, expr: string, annotations: { summary: string } }> }>
  }
  const rules = groups.flatMap((group) => group.rules)
  const { panels } = JSON.parse(readFileSync('deploy/grafana/tabcast.json', 'utf8')) as {
    panels: Array<{ targets?: Array<{ expr: string }> }>
  }
  const expressions = [...rules.map(({ expr }) => expr),
    ...panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))]
  t.ok(rules.length > 8 && expressions.length > 30)
  for (const name of new Set(expressions.flatMap((expression) => expression.match(names) ?? []))) {
    const family = metrics.get(name) ?? metrics.get(name.replace(sampleSuffix, ''))
    t.ok(family !== undefined && (family.name === name) === (family.type !== 'histogram'), `${name} is exported`)
  }
  for (const { alert, annotations } of rules) t.ok(annotations.summary.length > 10, `${alert} says what is wrong`)
  for (const { name } of documented) {
    t.ok(expressions.some((expression) => expression.includes(name)), `${name} is on the dashboard or in an alert`)
  }
})
