import { execFile } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { Client, TabcastError, verifyWebhook, WebhookError, type AnyJob,
  type Row } from '../../clients/typescript/src/index.ts'
import { parseCsv } from '../../clients/typescript/src/rows.ts'
import { launcher, runKeys } from '../support/command.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { startLimitingServer } from '../support/limiting-server.ts'
import { blocksOf } from '../support/page-blocks.ts'
import { runPython, whyNoPython } from '../support/python.ts'
import { openReceiver } from '../support/receiver.ts'
import { panelCsv, startService } from '../support/service.ts'
import { until } from '../support/until.ts'

const rows = parseCsv(panelCsv(2, 36))
const quick = { prediction_length: 3, presets: 'fast' }

/** One loses the first answer to a POST /forecast, the other is busy twice. */
async function misbehavingProxies (t: Test, baseUrl: string): Promise<{ losing: string, busy: string }> {
  const [losing, busy] = [await startFaultProxy(t, baseUrl), await startFaultProxy(t, baseUrl)]
  let [submitted, asked] = [0, 0]
  losing.inject({ kind: 'lost-answer' }, ({ method }) => method === 'POST' && submitted++ === 0)
  busy.inject({ kind: 'status', status: 503, headers: { 'retry-after': '1' } }, () => asked++ < 2)
  return { losing: losing.endpoint, busy: busy.endpoint }
}

/** The code of a client's README. */
function example (client: string): string {
  const code = /<!-- example:begin -->\n```\w+\n([^]*?)```\n<!-- example:end -->/.exec(
    readFileSync(`clients/${client}/README.md`, 'utf8')
  )?.[1]
  if (code === undefined) throw new Error(`clients/${client}/README.md has no example`)
  return code
}

/** The code of a page of the documentation, run in the folder of its reader. */
function inFolder (folder: string, change: string, blocks: string[]): string {
  return [`${change}(${JSON.stringify(folder)})`, ...blocks].join('\n')
}

const forecastOfPage = /^(series-\d+ \d{4}-\d\d-\d\d 00:00:00 [\d.]+ [\d.]+ [\d.]+\n){3}/

async function failure (work: Promise<unknown>): Promise<TabcastError> {
  return await work.then(() => {
    throw new Error('it did not fail')
  }, (error: unknown) => {
    if (error instanceof TabcastError) return error
    throw error
  })
}

async function collected<T> (all: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const one of all) list.push(one)
  return list
}

t.test('the clients against the service', async (t) => {
  const receiver = await openReceiver(t)
  const service = await startService({ TABCAST_CALLBACK_ALLOW_HOSTS: receiver.host })
  t.teardown(() => service.cleanup())
  const apiKey = await service.createKey('acme')
  const { last: adminKey } = await runKeys(service, 'create', '--tenant', 'acme', '--scopes', 'admin')
  const env = { TABCAST_URL: service.baseUrl, TABCAST_API_KEY: apiKey }

  await t.test('TypeScript', async (t) => {
    const client = new Client({ baseUrl: service.baseUrl + '/', apiKey })

    await t.test('rows are forecast', async (t) => {
      const seen: AnyJob[] = []
      const table = await client.forecast(rows, {
        ...quick,
        quantile_levels: [0.1, 0.9],
        freq: 'MS',
        metadata: { team: 'a' }
      }, { timeoutMs: 60_000, onProgress: (job) => seen.push(job) })
      t.strictSame(Object.keys(table[0] as Row), ['item_id', 'timestamp', 'mean', '0.1', '0.9'])
      t.equal(table.length, 6)
      t.ok(table.every((row) => Number(row['0.1']) <= Number(row['mean']) && Number(row['mean']) <= Number(row['0.9'])))
      t.match(seen.at(-1), { status: 'completed', metadata: { team: 'a' } })
      t.match(await client.report(seen.at(-1)?.job_id ?? ''), /^<!doctype html>[^]*<h1>Forecast of 2 series/i)
    })

    await t.test('a path, formats, lists and deletion', async (t) => {
      const path = join(t.testdir({}), 'sales "1".csv')
      writeFileSync(path, panelCsv(1, 36))
      const { job_id: jobId } = await client.wait(await client.submit(path, quick))
      for (const [format, magic] of [['csv', 'item'], ['parquet', 'PAR1'], ['zip', 'PK\u0003\u0004']] as const) {
        t.equal((await (await client.download(jobId, format)).text()).slice(0, 4), magic)
      }
      const listed = await collected(client.jobs({ status: ['completed', 'failed'], jobType: 'forecast' }))
      t.ok(listed.some((job) => job.job_id === jobId))
      await client.delete(jobId)
      t.match(await failure(client.job(jobId)), { code: 'job_not_found', status: 404, retryable: false })
    })

    await t.test('a stored file is forecast twice, a table is learned', async (t) => {
      const stored = await client.upload(new File([panelCsv(2, 36)], 'sales.csv'))
      t.equal(stored.status, 'uploaded')
      for (const presets of ['fast', 'balanced']) {
        const { job_id: jobId } = await client.forecastObject(stored.object_id, { ...quick, presets })
        await client.wait(jobId)
        t.equal((await client.result(jobId)).length, 6)
      }
      const table = Array.from({ length: 120 },
        (_, at) => ({ size: at, kind: 'ab'[at % 2] ?? '', target: at % 2 === 1 && at > 20 ? 'yes' : 'no' }))
      t.match((await client.classify(table))[0], { prediction: /^(yes|no)$/ })
      t.type((await client.regress(table.map((row) => ({ ...row, target: 3 * row.size }))))[0]?.['prediction'],
        'string')
    })

    await t.test('refusals are errors with code, place and advice', async (t) => {
      const content = await failure(
        client.forecast([{ item_id: 'a', timestamp: '2024-01-01', target: 'x' }, {
          item_id: 'a',
          timestamp: '2024-02-01',
          target: 1
        }])
      )
      t.match(content, {
        code: 'validation_error',
        status: 422,
        retryable: false,
        detail: /file\.target, row 1/,
        requestId: /./
      })
      t.strictSame(content.fields[0]?.loc, ['body', 'file', 'target'])
      t.match(await failure(client.forecast(rows, { presets: 'slow' })), {
        code: 'invalid_preset',
        status: 400,
        suggestion: /./
      })
      t.match(await failure(new Client({ baseUrl: service.baseUrl, apiKey: 'tbc_live_none' }).submit(rows)), {
        code: 'auth_failed',
        status: 401
      })
      t.match(await failure(new Client({ baseUrl: 'http://127.0.0.1:1', apiKey, attempts: 2 }).job('job_x')), {
        code: 'connection_failed',
        status: null,
        retryable: true
      })
      const { job_id: jobId } = await client.submit(rows, quick)
      t.match(await failure(client.wait(jobId, { timeoutMs: 0 })), { code: 'timeout', jobId })
      const interrupt = new AbortController()
      interrupt.abort(new Error('enough'))
      await t.rejects(client.wait(jobId, { signal: interrupt.signal }), /enough/)
    })

    await t.test('a lost answer and a busy service are ridden out, with one job', async (t) => {
      const { losing, busy } = await misbehavingProxies(t, service.baseUrl)
      const { job_id: jobId } = await new Client({ baseUrl: losing, apiKey }).submit(rows, { ...quick, name: 'lost' })
      const same = (await collected(client.jobs())).filter((job) => job.name === 'lost')
      t.strictSame(same.map((job) => job.job_id), [jobId])
      const startMs = performance.now()
      await new Client({ baseUrl: busy, apiKey }).submit(rows, quick)
      t.ok(performance.now() - startMs >= 2000, 'two pauses of a second, as Retry-After says')
    })

    await t.test('a callback is verified', async (t) => {
      const { job_id: jobId } = await client.submit(rows, { ...quick, callback_url: receiver.url })
      const { body, headers } = await until('the callback',
        () => receiver.deliveries.find((delivery) => delivery.body.includes(jobId)))
      const secret = await new Client({ baseUrl: service.baseUrl, apiKey: adminKey }).webhookSecret()
      t.match(await verifyWebhook(body, headers, secret), { type: 'job.completed', data: { job_id: jobId } })
      t.match(
        await verifyWebhook(new TextEncoder().encode(body), new Headers(headers as Record<string, string>), secret),
        { type: 'job.completed' }
      )
      await t.rejects(verifyWebhook(body + ' ', headers, secret), WebhookError)
      await t.rejects(verifyWebhook(body, { ...headers, 'webhook-signature': 'v1,???' }, secret), /no signature/)
      await t.rejects(verifyWebhook(body, headers, secret, { nowMs: Date.now() + 301_000 }), /not fresh/)
      await t.rejects(verifyWebhook(body, {}, secret), /header is missing/)
    })

    await t.test('the example of the README', async (t) => {
      const source = pathToFileURL(resolve('clients/typescript/src/index.ts')).href
      const path = join(t.testdir({}), 'example.ts')
      writeFileSync(path, example('typescript').replace('tabcast-client', source))
      const { stdout } = await promisify(execFile)(process.execPath, ['--import=tsx', path], {
        env: { ...process.env, ...env }
      })
      t.match(stdout, /^north 2026-01-01 00:00:00 [\d.]+ [\d.]+ [\d.]+\n(north .+\n){2}$/)
    })

    await t.test('the page of the documentation', async (t) => {
      const folder = t.testdir({ 'sales.csv': panelCsv(2, 36) })
      const source = pathToFileURL(resolve('clients/typescript/src/index.ts')).href
      const path = join(folder, 'page.ts')
      const code = inFolder(folder, 'process.chdir', blocksOf('docs/get-started/typescript.md', 'ts'))
      writeFileSync(path, code.replace('tabcast-client', source) + 'console.log(report.slice(0, 15))\n')
      const { stdout } = await promisify(execFile)(process.execPath, ['--import=tsx', path], {
        env: { ...process.env, ...env }
      })
      t.match(stdout, forecastOfPage)
      t.match(stdout, /\n<!doctype html>\n$/i, 'the report')
    })
  })

  await t.test('Python', { skip: whyNoPython() }, async (t) => {
    const folder = t.testdir({ 'callbacks.jsonl': '' })
    const callbacks = join(folder, 'callbacks.jsonl')
    receiver.answer = (response, _index, delivery) => {
      appendFileSync(callbacks, JSON.stringify(delivery) + '\n')
      response.writeHead(204).end()
    }
    const installed = join(folder, 'installed')
    const pip = await runPython(['-m', 'pip', 'install', '--quiet', '--no-index', '--no-cache-dir', '--target',
      installed, './clients/python'], {})
    if (!pip.ok) throw new Error(`the package cannot be installed without a network:\n${pip.output}`)
    const { losing, busy } = await misbehavingProxies(t, service.baseUrl)
    const limiting = await startLimitingServer(t)
    const cutting = await startFaultProxy(t, service.baseUrl)
    let downloads = 0
    cutting.inject({ kind: 'truncate', bytes: 20 },
      ({ url }) => url?.includes('/download') === true && downloads++ === 0)
    const python = {
      ...env,
      ADMIN_KEY: adminKey,
      PYTHONPATH: installed,
      PYTHONDONTWRITEBYTECODE: '1',
      LIMITING_URL: limiting.url,
      LOSING_URL: losing,
      CUTTING_URL: cutting.endpoint,
      BUSY_URL: busy,
      CALLBACK_URL: receiver.url,
      CALLBACKS: callbacks
    }
    const tests = await runPython(['-m', 'unittest', 'discover', '--verbose', '--start-directory',
      'clients/python/tests'], python)
    t.ok(tests.ok, tests.ok ? 'its own tests' : tests.output)
    for (const line of tests.output.split('\n')) if (line.includes('skipped')) t.comment(line)
    const shown = await runPython(['-c', example('python')], python)
    t.match(shown.output, /^north 2026-01-01 00:00:00 [\d.]+ [\d.]+ [\d.]+\n(north .+\n){2}$/)
    writeFileSync(join(folder, 'sales.csv'), panelCsv(2, 36))
    const page = inFolder(folder, 'import os; os.chdir', blocksOf('docs/get-started/python.md', 'python'))
    const paged = await runPython(['-c', page], python)
    t.match(paged.output, forecastOfPage)
    t.match(readFileSync(join(folder, 'report.html'), 'utf8'), /<h1>Forecast of 2 series/)
    const days = [...paged.output.matchAll(/^2026-\d\d-\d\d ([01]) (\d+)$/gm)]
    t.equal(days.length, 14)
    const mean = (promo: string) => {
      const own = days.filter(([, one]) => one === promo)
      return own.reduce((total, [, , sold]) => total + Number(sold), 0) / own.length
    }
    t.ok(mean('1') > mean('0') + 20, 'promotions sell more')
  })
})

t.test('a forged callback costs its receiver one signature, however many it names', async (t) => {
  const [body, nowMs] = ['{"type":"job.completed"}', 1_700_000_000_000]
  const valid = `v1,${createHmac('sha256', 'key').update(`m.${nowMs / 1000}.${body}`).digest('base64')}`
  const callback = (signatures: string[]) =>
    verifyWebhook(body, {
      'webhook-id': 'm',
      'webhook-timestamp': String(nowMs / 1000),
      'webhook-signature': signatures.join(' ')
    }, 'whsec_a2V5', { nowMs })
  const forged = Array.from({ length: 2_000 }, () => 'v1,eA==')
  t.match(await callback([...forged.slice(0, 9), valid]), { type: 'job.completed' })
  await t.rejects(callback([...forged.slice(0, 10), valid]), /no signature/, 'ten are compared')
  const { sign, verify } = crypto.subtle
  let signed = 0
  t.teardown(() => Object.assign(crypto.subtle, { sign, verify }))
  Object.assign(crypto.subtle, {
    sign: async (...given: Parameters<typeof sign>) => {
      signed++
      return await sign.apply(crypto.subtle, given)
    },
    verify: async (...given: Parameters<typeof verify>) => {
      signed++
      return await verify.apply(crypto.subtle, given)
    }
  })
  await t.rejects(callback(forged), /no signature/)
  t.equal(signed, 1)
})

t.test('a client without an address says so', async (t) => {
  t.throws(() => new Client({ baseUrl: undefined as unknown as string, apiKey: 'k' }), {
    name: 'TabcastError',
    message: /baseUrl is missing: the address of the service/
  })
})

t.test('rows survive CSV', async (t) => {
  t.strictSame(parseCsv('item_id,note,mean\r\n"a, ""b""\nc",,1e2\r\n7,x,\r\n'), [{
    item_id: 'a, "b"\nc',
    note: null,
    mean: 100
  }, { item_id: '7', note: 'x', mean: null }])
  t.strictSame(parseCsv('a,b\n1,'), [{ a: 1, b: null }])
  t.strictSame(parseCsv(''), [])
})

t.test('the types of the TypeScript client are those of the interface description', async (t) => {
  const [program, ...first] = launcher
  const { stdout } = await promisify(execFile)(program, [...first, process.execPath,
    'scripts/generate-client-types.mjs'], { maxBuffer: 16 * 1024 * 1024 })
  t.equal(readFileSync('clients/typescript/src/schema.ts', 'utf8'), stdout, '`make docs` regenerates them')
})

t.test('a service that asks to wait longer than a minute, or than the caller has, is an error at once', async (t) => {
  const { url, requests } = await startLimitingServer(t)
  const client = new Client({ baseUrl: url, apiKey: 'k' })
  const refused = await failure(client.forecast(rows, quick, { timeoutMs: 120_000 }))
  t.match(refused, {
    code: 'rate_limited',
    status: 429,
    retryable: true,
    retryAfterSeconds: 29_869,
    requestId: 'req_1'
  })
  t.match(refused.message,
    /jobs are taken\. Ask for more\. Try again in 29869 s, at \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ; no more than 60 s are waited here\.$/)
  t.match(await failure(client.job('after-61')), { retryAfterSeconds: 61, suggestion: /no more than 59 s/ })
  t.match(await failure(new Client({ baseUrl: url, apiKey: 'k', timeoutMs: 5000 }).job('after-6')), {
    suggestion: /Try again in 6 s, at .+; no more than 4 s/
  }, 'nor more than the client has')
  t.match(await failure(client.wait('after-10', { timeoutMs: 3000 })), {
    code: 'rate_limited',
    retryAfterSeconds: 10,
    jobId: 'after-10',
    suggestion: /no more than 2 s/
  }, 'nor than the call has')
  for (const form of ['date', 'asctime']) {
    t.match(await failure(client.job(`${form}-7200`)), { retryAfterSeconds: 7200 },
      `${form}: counted from the date of the answer`)
  }
  t.equal(requests.length, 6, 'each was asked once')
  t.match(await failure(new Client({ baseUrl: url, apiKey: 'k', attempts: 2 }).job('soon')), {
    retryAfterSeconds: null
  }, 'what is no time is none')
  t.equal(requests.length, 8, 'and is repeated like any other')
  const startMs = performance.now()
  t.match(await failure(new Client({ baseUrl: url, apiKey: 'k', timeoutMs: 3500 }).job('after-1')), {
    code: 'rate_limited'
  })
  t.ok(performance.now() - startMs >= 2000, 'pauses that fit are made')
  t.ok(requests.length <= 12, 'and end with the time of the call')
})
