import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { text } from 'node:stream/consumers'
import { generateTable } from '../../test/support/generate-table.ts'
import { buildForm, LoadClient } from '../http/load-client.ts'
import { generatePanel } from '../panel.ts'

/*
 * Visitors of the sandbox: node visitors-process.js URL KEY PER_MINUTE forecast|classify. Each comes from an address of
 * its own with a company of its own, asks for a forecast of a small file or for the classes of a table that takes long,
 * and looks at its job three times. It begins at once, ends when its standard input does, and then prints how often the
 * posts were answered with which status, as JSON.
 */
const [baseUrl = '', key = '', perMinute = '1000', path = 'forecast'] = process.argv.slice(2)
const client = new LoadClient(baseUrl, key)
const wish: { fields: Record<string, string>, rows: string[] } = path === 'classify'
  ? { fields: { label_column: 'label' }, rows: [...generateTable({ rows: 8_000, columns: 12, classes: 50 })] }
  : {
    fields: { prediction_length: '48' },
    rows: [...generatePanel({ series: 20, length: 100, step: 'day', seasonLength: 7 })]
  }
const statuses = new Map<number, number>()
const underWay = new Set<Promise<void>>()
const address = () => [11, randomInt(256), randomInt(256), randomInt(256)].join('.')

async function visit (): Promise<void> {
  const from = { 'x-forwarded-for': address() }
  const { contentType, body } = buildForm({ email: `ana@company-${randomInt(2 ** 40)}.com`, ...wish.fields }, wish.rows)
  const { status, text } = await client.request(`/sandbox/${path}`, {
    method: 'POST',
    headers: { ...from, 'content-type': contentType, 'content-length': body.length },
    body
  })
  statuses.set(status, (statuses.get(status) ?? 0) + 1)
  if (status !== 202) return
  const { job_id: jobId } = JSON.parse(text) as { job_id: string }
  for (let at = 0; at < 3; at++) {
    await sleep(1_000)
    await client.request(`/jobs/${jobId}`, { headers: from })
  }
}

const over = new AbortController()
let failure: unknown
const ended = text(process.stdin).then(() => over.abort())
const startMs = performance.now()
for (let count = 0; !over.signal.aborted; count++) {
  await Promise.race([ended, sleep(Math.max(0, startMs + count * 60_000 / Number(perMinute) - performance.now()))])
  const one = visit().catch((error: unknown) => {
    failure ??= error
  }).finally(() => underWay.delete(one))
  underWay.add(one)
}
await Promise.all(underWay)
client.close()
if (failure !== undefined) throw failure
process.stdout.write(JSON.stringify(Object.fromEntries(statuses)))
