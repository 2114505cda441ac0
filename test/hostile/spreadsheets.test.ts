import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import type { ErrorCode } from '../../src/domain/error-codes.ts'
import { csv, parseCsv, series } from '../support/csv.ts'
import { expectError, fieldsOf, suggestionOf } from '../support/expect-error.ts'
import { expectHealthy, expectNothingLeft, peakMemory } from '../support/leftovers.ts'
import { Client, startService } from '../support/service.ts'
import { compoundFile, workbookParts, zipArchive, type Cell } from '../support/workbook.ts'

/*
 * Workbooks that are odd or made to hurt, by the numbers of the list of bad inputs in src/api/contract.md. The content
 * checks of uploads run in slot processes; their memory is watched.
 */
const service = await startService()
t.teardown(service.cleanup)
const client = new Client(service.baseUrl, await service.createKey('careful'))
const hostile = new Client(service.baseUrl, await service.createKey('hostile'))

const sheetPart = 'xl/worksheets/sheet1.xml'
const header = ['item_id', 'timestamp', 'target']
/** 2026-01-01 as a spreadsheet counts days. */
const firstDay = 46_023
const days = (value: (day: number) => Cell,
  length = 30): Cell[][] => [header, ...Array.from({ length }, (_, day) => ['a', { date: firstDay + day }, value(day)])]
const sales = days((day) => 10 + day % 7)
const workbook = (rows: Cell[][]) => zipArchive(workbookParts({ Data: rows }))

async function refuse (t: Test, data: string | Uint8Array<ArrayBuffer>, status: number, filename = 'data.xlsx',
  code: ErrorCode = 'validation_error') {
  const watched = [...service.pids('api'), ...service.pids('worker'), ...service.pids('slot')].map((pid) => ({
    pid,
    peak: peakMemory(pid)
  }))
  const envelope = await expectError(t, await hostile.submit(data, {}, filename), status, code)
  t.match(suggestionOf(envelope), /./, 'it says what to do')
  for (const { pid, peak } of watched) t.ok(peakMemory(pid) - peak < 64 * 1024 * 1024, `process ${pid} stays flat`)
  await expectNothingLeft(t, service, 'hostile')
  await expectHealthy(t, service)
  return envelope
}

async function forecast (t: Test, data: string | Uint8Array<ArrayBuffer>, filename: string,
  fields: Record<string, string> = {}) {
  const { job_id: jobId } = await client.submitted(data, { prediction_length: '3', presets: 'fast', ...fields },
    filename)
  const job = await client.ended(jobId)
  t.equal(job.status, 'completed', `${job.error_code}: ${job.error}`)
  return { job, rows: parseCsv(await client.table(jobId)) }
}

t.test('25: a workbook of half a megabyte that inflates to 512 MiB is a 413, and nobody has the memory for it', async (t) => {
  const parts = new Map<string, string | Uint8Array>(workbookParts({ Data: sales }))
  const [start = '', end = ''] = String(parts.get(sheetPart)).split('</sheetData>')
  parts.set(sheetPart,
    Buffer.concat([Buffer.from(start), Buffer.alloc(512 * 1024 * 1024, ' '), Buffer.from(`</sheetData>${end}`)]))
  const bomb = zipArchive(parts)
  // Packing it took seconds, in which nothing was noticed: a connection that the service has closed meanwhile must not
  // be taken for an open one.
  await sleep(50)
  t.ok(bomb.length < 1024 * 1024, `${bomb.length} bytes`)
  const envelope = await refuse(t, bomb, 413)
  t.match(JSON.stringify(envelope.detail), /100 times its size/)
  for (const claimed of [0, 1_000_000]) {
    const lying = new Uint8Array(bomb)
    const view = new DataView(lying.buffer)
    for (const { at } of placesOf(lying, sheetPart)) view.setUint32(at, claimed, true)
    const answer = await hostile.submit(lying, {}, 'data.xlsx')
    t.ok([413, 415, 422].includes(answer.status), `it says ${claimed} bytes: ${answer.status}`)
    await expectNothingLeft(t, service, 'hostile')
  }
  await expectHealthy(t, service)
})

/** Where an archive says how many bytes an entry has: before the entry, and in the directory. */
function placesOf (archive: Uint8Array, name: string): Array<{ at: number }> {
  const bytes = Buffer.from(archive.buffer)
  return ([['PK\x03\x04', 22, 30], ['PK\x01\x02', 24, 46]] as const).flatMap(([magic, field, length]) => {
    const found = []
    for (let at = bytes.indexOf(magic, 0, 'latin1'); at >= 0; at = bytes.indexOf(magic, at + 1, 'latin1')) {
      if (bytes.toString('latin1', at + length, at + length + name.length) === name) found.push({ at: at + field })
    }
    return found
  })
}

t.test('26: a document type in any part is a 415, whatever it declares', async (t) => {
  const types = [
    '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>',
    '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>'
  ]
  const parts = workbookParts({ Data: sales })
  for (const [name, xml] of parts) {
    const hurtful = new Map(parts).set(name, xml.replace('?>', `?>${types[name.length % 2]}`))
    t.match(JSON.stringify((await refuse(t, zipArchive(hurtful), 415)).detail), /document type/, name)
  }
})

t.test('27: a workbook with a password is a 415 that says to remove it', async (t) => {
  const encrypted = compoundFile('EncryptedPackage', 8192)
  for (const filename of ['data.xlsx', 'data.xls']) {
    t.match(suggestionOf(await refuse(t, encrypted, 415, filename)), /Remove the password/)
  }
  t.match(suggestionOf(await refuse(t, compoundFile('Contents', 8192), 415)), /\.xls/)
})

t.test('28: a formula is worth its saved result, and nothing without one', async (t) => {
  const plain = await forecast(t, workbook(sales), 'data.xlsx')
  const computed = await forecast(t,
    workbook(days((day) => ({ formula: 'WEBSERVICE("http://127.0.0.1/")', saved: 10 + day % 7 }))), 'data.xlsx')
  t.strictSame(computed.rows, plain.rows)
  t.equal(computed.job['dataset_hash'], plain.job['dataset_hash'])
  const envelope = await expectError(t,
    await hostile.submit(workbook(days(() => ({ formula: '1+1' }))), {}, 'data.xlsx'), 422, 'validation_error')
  t.match(fieldsOf(envelope), [{ type: 'all_null_target', loc: ['body', 'file', 'target'] }])
})

t.test('29: a file that is not what its name says is a 415', async (t) => {
  await refuse(t, csv(series()), 415)
  await refuse(t, csv(series()), 415, 'data.xls')
  t.match(suggestionOf(await refuse(t, workbook(sales), 415, 'data.csv')), /own extension/)
  await refuse(t, workbook(sales), 415, 'data.xls')
  await refuse(t, zipArchive([['readme.txt', 'no workbook']]), 415)
  await refuse(t, zipArchive([...workbookParts({ Data: sales }), ['xl/embeddings/book.xlsx', workbook(sales)]]), 415)
  await refuse(t, workbook(sales).slice(0, -40), 415)
  await refuse(t, zipArchive(workbookParts({ Data: sales }), { [sheetPart]: 10 }), 415)
  const crowded = Array.from({ length: 2_001 }, (_, index): [string, string] => [`x/${index}`, ''])
  await refuse(t, zipArchive([...workbookParts({ Data: sales }), ...crowded]), 413)
})

t.test('a workbook is forecast as the CSV of its sheet is', async (t) => {
  const stamp = (day: number) => new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10)
  const text = csv(Array.from({ length: 30 }, (_, day) => `a,${stamp(day)},${10 + day % 7}`))
  const [fromCsv, fromSheet] = [await forecast(t, text, 'data.csv'), await forecast(t, workbook(sales), 'data.XLSX')]
  t.strictSame(fromSheet.rows, fromCsv.rows)
  t.equal(fromSheet.job['dataset_hash'], fromCsv.job['dataset_hash'])
  t.equal(fromSheet.job['config_hash'], fromCsv.job['config_hash'], 'no sheet is named in either')
})

t.test('a sheet is taken by its name', async (t) => {
  const book = zipArchive(workbookParts({ Notes: [['nothing here']], 'Sales 2026': sales }))
  const { job } = await forecast(t, book, 'data.xlsx', { sheet_name: 'Sales 2026' })
  t.match(job['effective_config'], { sheet_name: 'Sales 2026' })
  const missing = fieldsOf(
    await expectError(t, await hostile.submit(book, { sheet_name: 'sales' }, 'data.xlsx'), 422, 'validation_error')
  )
  t.match(missing, [{ loc: ['body', 'sheet_name'], type: 'missing_sheet', msg: /'Notes', 'Sales 2026'/ }])
  const first = fieldsOf(await expectError(t, await hostile.submit(book, {}, 'data.xlsx'), 422, 'validation_error'))
  t.match(first, [{ loc: ['body', 'file', 'item_id'], type: 'missing_column' }])
  const text = fieldsOf(
    await expectError(t, await hostile.submit(csv(series()), { sheet_name: 'Data' }), 422, 'validation_error')
  )
  t.match(text, [{ loc: ['body', 'sheet_name'], type: 'value_error' }])
  await expectNothingLeft(t, service, 'hostile')
})
