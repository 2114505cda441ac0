import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import t from 'tap'
import { repeatSweep } from '../../src/platform/time/repeat-sweep.ts'
import { openApi } from '../support/api.ts'
import { StorageCaller } from '../support/storage.ts'
import { until } from '../support/until.ts'

/* A clock that is set wrong while the service runs: everything seems to be too old. */

const dayMs = 86_400_000
const csv = 'item_id,timestamp,target\na,2024-01-01,1\na,2024-02-01,2\n'

t.test('a clock that jumps ahead deletes nothing while it may be set right', async (t) => {
  const stage = await openApi(t, { TABCAST_SWEEP_MS: '100', TABCAST_JOB_RETENTION_SECONDS: '3600' })
  const acme = new StorageCaller(stage)
  const { object_id: awaited } = await acme.presign()
  const body = { object_id: await acme.store(csv) }
  const { job_id: id } = await acme.json<{ job_id: string }>('POST', '/forecast/storage-object', body)
  await stage.finishNext({ 'forecast.csv': csv, 'forecast.parquet': 'PAR1' })
  const find = async (): Promise<string> => (await acme.json<{ status: string }>('GET', `/jobs/${id}`)).status
  await until('the job has ended', async () => await find() === 'completed')

  const rightNow = Date.now
  t.teardown(() => {
    Date.now = rightNow
  })
  Date.now = () => rightNow() + 10 * dayMs
  const held = () => stage.log().filter(({ msg }) => String(msg).startsWith('the clock has jumped ahead'))
  const sweeps = ['sweep', 'object sweep', 'model sweep', 'idempotency', 'sandbox claims']
  await until('every sweep has noticed', () => sweeps.every((name) => held().some(({ task }) => task === name)))
  await sleep(300)
  t.equal(await find(), 'completed')
  t.match(await acme.json('GET', `/storage/objects/${awaited}`), { status: 'presigned' })
  t.equal(held().length, 5, 'said once by each')
  for (const line of held()) t.match(line, { aheadSeconds: 864_000 })

  Date.now = rightNow
  await sleep(300)
  t.equal(await find(), 'completed', 'its time is not over')
})

t.test('what a clock says is believed when it goes slowly, back, or stays ahead for an hour', async (t) => {
  const log = {
    lines: [] as string[],
    write (line: string) {
      this.lines.push(line)
    }
  }
  let [wallMs, steadyMs, sweeps] = [dayMs, 0, 0]
  const pass = (ms: number): void => {
    wallMs += ms
    steadyMs += ms
  }
  const clocks = { wallMs: () => wallMs, steadyMs: () => steadyMs }
  const { stop } = repeatSweep('test', 1, pino({}, log), async () => {
    sweeps++
  }, clocks)
  t.teardown(stop)
  const goesOn = async (): Promise<void> => {
    const before = sweeps
    await until('sweeps go on', () => sweeps > before)
  }
  const isHeld = async (): Promise<boolean> => {
    // The one under way had been let in.
    await sleep(20)
    const before = sweeps
    await sleep(20)
    return sweeps === before
  }
  for (let hour = 0; hour < 5; hour++) {
    pass(3_600_000)
    wallMs += 50_000
    await goesOn()
  }
  wallMs -= dayMs
  await goesOn()
  t.equal(log.lines.length, 0)
  wallMs += dayMs
  t.ok(await isHeld())
  t.match(log.lines.join(''), /^[^\n]*"aheadSeconds":86400[^\n]*\n$/)
  wallMs -= dayMs
  await goesOn()
  wallMs += dayMs
  t.ok(await isHeld())
  pass(3_599_999)
  t.ok(await isHeld())
  pass(1)
  await goesOn()
  pass(3_600_000)
  await goesOn()
  t.equal(log.lines.length, 2, 'once for each jump')
})
