import { mkdtemp, readdir, readFile, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { pino } from 'pino'
import t from 'tap'
import { messageVersion as v } from '../../src/domain/message-version.ts'
import { loadConfig } from '../../src/platform/config.ts'
import type { QuickPreviewReply, QuickPreviewRequest, QuickProfileReply,
  QuickProfileRequest } from '../../src/platform/queue/quick-messages.ts'
import { inspectDataset } from '../../src/worker/inspect-dataset.ts'
import { QuickSlots } from '../../src/worker/quick-slots.ts'
import { SlotMemory, slotMemoryBounds } from '../../src/worker/slot-memory.ts'
import { SlotPool } from '../../src/worker/slot-pool.ts'
import { csv, series } from '../support/csv.ts'
import { testLimits } from '../support/job-message.ts'
import { until } from '../support/until.ts'
import { setup } from '../support/worker.ts'

await t.test('previews through the queue', async (t) => {
  const bench = await setup()
  t.teardown(bench.cleanup)
  const worker = await bench.start()
  let objects = 0

  const preview = async (content: string | Uint8Array,
    change: Partial<QuickPreviewRequest> = {}): Promise<QuickPreviewReply> => {
    const key = `storage/acme/obj_${objects++}/table.csv`
    await bench.store.putBytes(key, Buffer.from(content))
    const request = { v, input: { key, bytes: Buffer.byteLength(content) }, maxBytes: 4096, maxRows: 3, ...change }
    return await bench.queue.quickPreview(request, 20_000)
  }

  await t.test('show the first rows, and what the columns look like', async (t) => {
    const reply = await preview(csv(series({ item: 'north', length: 9 })))
    t.ok((reply.cpuMs ?? 0) > 0, `it took ${reply.cpuMs} ms of a core`)
    t.match(reply, {
      ok: true,
      preview: { truncated: true, delimiter: ',', encoding: 'utf-8', quote: null, rows: { length: 3 } }
    })
    t.match(reply, {
      preview: {
        columns: ['item_id', 'timestamp', 'target'],
        detected: { timestamp: 'timestamp', target: 'target', itemId: 'item_id', frequency: 'D' }
      }
    })
    t.match(await preview('a;b\n1;"ä"\n'), {
      ok: true,
      preview: { truncated: false, delimiter: ';', quote: '"', rows: [[1, 'ä']] }
    })
    t.match(await preview('a,b\n'), {
      ok: true,
      preview: { columns: ['a', 'b'], rows: { length: 0 }, truncated: false }
    })
  })

  await t.test('read no more than they are told, wherever that ends', async (t) => {
    const table = 'name,n\nKöln,1\nMünchen,2\nDüsseldorf,3\n'
    const bytes = Buffer.byteLength(table)
    for (const maxBytes of [9, 10, 16, 25, bytes - 1, bytes, bytes + 1]) {
      const whole = Buffer.from(table).subarray(0, maxBytes).toString('latin1').split('\n').length - 2
      t.match(await preview(table, { maxBytes }), {
        ok: true,
        preview: { rows: { length: Math.max(0, whole) }, truncated: maxBytes < bytes }
      }, `${maxBytes} bytes`)
    }
    // What lies behind the bytes that are read is not looked at.
    const behind = Buffer.concat([Buffer.from(table), Buffer.alloc(1000)])
    t.match(await preview(behind, { maxBytes: bytes }), { ok: true, preview: { rows: { length: 3 }, truncated: true } })
    t.match(await preview(table, { maxBytes: 5 }), { ok: false, error: { code: 'cell_too_long', status: 422 } })
  })

  await t.test('refuse what is no table', async (t) => {
    t.match(await preview(Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0])), {
      ok: false,
      error: { code: 'unsupported_encoding', status: 415 }
    })
    t.match(await preview('PAR1PAR1'), { ok: false, error: { code: 'format_mismatch', status: 415 } })
    t.match(await preview(''), { ok: false, error: { code: 'empty_file', status: 400 } })
  })

  await t.test('say that the object or the store is away, and leave nothing behind', async (t) => {
    t.match(await preview('a\n1\n', { input: { key: 'storage/acme/none', bytes: 4 } }), {
      ok: false,
      failed: 'storage_error'
    })
    const request: QuickPreviewRequest = {
      v,
      input: { key: 'storage/acme/obj_0/table.csv', bytes: 300 },
      maxBytes: 100,
      maxRows: 1
    }
    await rename(bench.objects, `${bench.objects}.away`)
    await symlink(bench.objects, bench.objects)
    t.match(await bench.queue.quickPreview(request, 20_000), { ok: false, failed: 'storage_error' })
    await unlink(bench.objects)
    await rename(`${bench.objects}.away`, bench.objects)
    t.match(await bench.queue.quickPreview(request, 20_000), { ok: true })
    const scratch = await readdir(join(bench.objects, '..'), { recursive: true })
    t.notOk(scratch.some((path) => path.includes('preview-')))
    t.notOk(worker.log().includes('Köln'), 'no cell reaches the log')
  })

  await t.test('take turns with content checks, and outlive a killed slot', async (t) => {
    const replies = Promise.all(Array.from({ length: 8 }, () => preview(csv(series({ item: 'north', length: 30 })))))
    for (const pid of worker.slotPids().slice(-1)) process.kill(pid, 'SIGKILL')
    t.ok((await replies).every(({ ok }) => ok))
  })
})

await t.test('profiles through the queue', async (t) => {
  const bench = await setup()
  t.teardown(bench.cleanup)
  const worker = await bench.start()
  let objects = 0

  const profile = async (content: string | Uint8Array,
    change: Partial<QuickProfileRequest> = {}): Promise<QuickProfileReply> => {
    const key = `storage/acme/obj_${objects++}/table.csv`
    await bench.store.putBytes(key, Buffer.from(content))
    return await bench.queue.quickProfile({
      v,
      input: { key, format: 'csv', bytes: Buffer.byteLength(content) },
      limits: testLimits,
      ...change
    }, 20_000)
  }
  const table = csv([...series({ item: 'north', length: 60 }), ...series({ item: 'south', length: 40 })])

  await t.test('say what is in a file, whatever it is packed in', async (t) => {
    const reply = await profile(table)
    t.match(reply, {
      ok: true,
      profile: { roles: { timestamp: 'timestamp', target: 'target', itemId: 'item_id' }, unreadable: null }
    })
    t.match(reply, {
      profile: {
        series: { totalRows: 100, numItems: 2, minLength: 40, maxLength: 60, freq: 'D' },
        columns: { length: 3 }
      }
    })
    const key = 'storage/acme/packed'
    await bench.store.putBytes(key, gzipSync(table))
    t.same({
      ...await profile(table, { input: { key, format: 'csv', bytes: 10, compression: 'gzip' } }),
      cpuMs: reply.cpuMs
    }, reply)
  })

  await t.test('take the columns that are given, and say which is missing', async (t) => {
    t.match(await profile(table, { columns: { target: 'item_id' } }), {
      ok: true,
      profile: { roles: { target: 'item_id' }, series: null, unreadable: /^None of the 100 rows/ }
    })
    t.match(await profile(table, { columns: { itemId: 'shop' } }), {
      ok: false,
      error: { code: 'missing_column', status: 422, column: 'shop' }
    })
  })

  await t.test('say what a language model is to be asked of a prompt, and fill the intent with its answer, with the profile that belongs to it', async (t) => {
    const web = await readFile(join('test', 'fixtures', 'agent', 'web.csv'))
    const prompt = 'how many people will enrol over the next 14 days'
    const rules = await profile(web, { prompt })
    t.match(rules, { ok: true, intent: { horizon: 14 } })
    t.notOk('question' in rules, 'nobody asked for it')
    const asking = await profile(web, { prompt, asksModel: true })
    t.match(asking, {
      question: {
        messages: [{ role: 'system' }, { role: 'user', content: /people will enrol/ }],
        schema: { properties: { forecast_target: { enum: ['visits', 'signups', 'ad_spend', null] } } }
      }
    })
    t.match(await profile(web, { prompt: 'forecast visits for 14 days, WAPE', asksModel: true }), {
      ok: true,
      question: null
    })
    t.match(await profile(web, { prompt, answer: { forecast_target: 'signups' } }), {
      isByModel: true,
      intent: { forecast_target: 'signups', horizon: 14 },
      profile: { roles: { target: 'signups' } }
    })
    t.match(await profile(web, { prompt, answer: { forecast_target: 'profit', covariates: 7 } }), {
      ok: true,
      isByModel: false,
      intent: { horizon: 14 }
    })
  })

  await t.test('refuse what is no table and what is too large', async (t) => {
    t.match(await profile('PAR1PAR1'), { ok: false, error: { code: 'format_mismatch', status: 415 } })
    t.match(await profile(''), { ok: false, error: { code: 'empty_file', status: 400 } })
    t.match(await profile(table, { limits: { ...testLimits, maxRows: 99 } }), {
      ok: false,
      error: { code: 'too_many_rows', status: 413 }
    })
    t.match(await profile('name,note\na,b\n'), {
      ok: true,
      profile: { series: null, unreadable: /^No column holds times/ }
    })
  })

  await t.test('say that the object is away, leave nothing behind, and outlive a killed slot', async (t) => {
    t.match(await profile('', { input: { key: 'storage/acme/none', format: 'csv', bytes: 4 } }), {
      ok: false,
      failed: 'storage_error'
    })
    const replies = Promise.all(Array.from({ length: 6 }, () => profile(table)))
    for (const pid of worker.slotPids().slice(-1)) process.kill(pid, 'SIGKILL')
    t.ok((await replies).every(({ ok }) => ok))
    const scratch = await readdir(join(bench.objects, '..'), { recursive: true })
    t.notOk(scratch.some((path) => path.includes('profile-')))
    t.notOk(worker.log().includes('north'), 'no cell reaches the log')
  })
})

await t.test('a quick slot is not replaced as often as one that computes jobs, so that nobody waits for a new process because another one asked a lot', async (t) => {
  const bench = await setup()
  t.teardown(bench.cleanup)
  const worker = await bench.start({ TABCAST_SLOTS: '1', TABCAST_CHECK_SLOTS: '1', TABCAST_SLOT_MAX_JOBS: '1' })
  await bench.store.putBytes('storage/acme/table.csv', Buffer.from('a,b\n1,2\n'))
  const preview = async () =>
    await bench.queue.quickPreview({
      v,
      input: { key: 'storage/acme/table.csv', bytes: 8 },
      maxBytes: 4096,
      maxRows: 3
    }, 20_000)
  t.match(await preview(), { ok: true })
  const before = worker.slotPids()
  for (let again = 0; again < 8; again++) t.match(await preview(), { ok: true })
  t.strictSame(worker.slotPids(), before)
  for (let again = 0; again < 2; again++) t.match(await preview(), { ok: true })
  t.notSame(worker.slotPids(), before, 'it is replaced all the same')
})

await t.test('all quick slots together compute with the threads of one job', async (t) => {
  const threads = (settings: Record<string, string>) => {
    const context = { config: loadConfig(settings), log: pino({ level: 'silent' }) }
    return new QuickSlots(context, new SlotPool({
      slots: 0,
      smallOnly: 0,
      memory: new SlotMemory({ eachBytes: 0, allBytes: 0 }),
      nice: { small: 0, any: 0 },
      maxTasks: 1,
      maxAgeMs: 1,
      log: context.log
    })).threads
  }
  t.equal(threads({ TABCAST_SLOT_THREADS: '8', TABCAST_CHECK_SLOTS: '2' }), 4)
  t.equal(threads({ TABCAST_SLOT_THREADS: '8', TABCAST_CHECK_SLOTS: '3' }), 2)
  t.equal(threads({ TABCAST_SLOT_THREADS: '1', TABCAST_CHECK_SLOTS: '2' }), 1)
})

await t.test('a dataset in scratch is inspected in a quick slot', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'tabcast-inspect-'))
  t.teardown(() => rm(folder, { recursive: true }))
  const context = {
    config: loadConfig({ TABCAST_CHECK_SLOTS: '1', TABCAST_SLOT_THREADS: '1', TABCAST_QUICK_QUEUE: '2' }),
    log: pino({ level: 'silent' })
  }
  const { SLOT_MAX_AGE_MS: maxAgeMs } = context.config
  const pool = new SlotPool({
    slots: 1,
    smallOnly: 0,
    memory: new SlotMemory(slotMemoryBounds(context.config)),
    nice: { small: 0, any: 0 },
    maxTasks: 100,
    maxAgeMs,
    log: context.log
  })
  t.teardown(() => pool.stop())
  await until('a slot', () => pool.hasFree('large'))
  const slots = new QuickSlots(context, pool)
  const inputPath = join(folder, 'part.csv')
  const columns = { itemId: 'item_id', timestamp: 'timestamp', target: 'target' }
  const dataset = {
    inputPaths: [inputPath],
    format: 'csv' as const,
    compression: null,
    columns,
    hierarchy: null,
    freq: null,
    limits: testLimits
  }

  await writeFile(inputPath, `${csv(series({ item: 'north', length: 30 }))}south,never,1\n`)
  t.match(await inspectDataset(slots, 'acme', dataset), {
    ok: true,
    result: {
      rowCount: 31,
      numItems: 1,
      inferredFrequency: 'D',
      checks: { 4: { check: 'timestamps', status: 'failed', sampleRows: [31] } }
    }
  })
  await writeFile(inputPath, 'PAR1')
  t.match(await inspectDataset(slots, 'acme', dataset), { ok: false, error: { code: 'format_mismatch' } })
  t.match(await inspectDataset(slots, 'acme', { ...dataset, inputPaths: [join(folder, 'none')] }), {
    ok: false,
    failed: 'pipeline_failed'
  })
  const [first, second, third] = await Promise.all([1, 2, 3].map(() => inspectDataset(slots, 'acme', dataset)))
  t.ok(first !== undefined && second !== undefined)
  t.equal(third, undefined, 'beyond its bound it is busy')
  await slots.idle()
})
