import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { asOf } from '../../../src/sources/covariates/as-of.ts'
import { catalogProviders } from '../../../src/sources/covariates/catalog/catalog-providers.ts'
import { catalog } from '../../../src/sources/covariates/catalog/catalog.ts'
import type { KeyOf, Kind } from '../../../src/sources/covariates/covariate-key.ts'
import { lagLookup } from '../../../src/sources/covariates/default-lags.ts'
import { AnswerCache } from '../../../src/sources/covariates/http/answer-cache.ts'
import type { CovariateRequest } from '../../../src/sources/covariates/provider.ts'
import { writeParquetPart } from '../../support/parquet-part.ts'

const at = (text: string) => Date.parse(text)

/** Writes one folder of a catalogue and gives back the whole's path. */
async function mount (t: Test, kind: Kind, key: string, parts: Record<string, string>,
  change: object = {}): Promise<string> {
  const root = t.testdir({})
  await addKey(root, kind, key, parts, change)
  return root
}

async function addKey (root: string, kind: Kind, key: string, parts: Record<string, string>,
  change: object = {}): Promise<void> {
  const folder = join(root, kind, 'mirror', key)
  await mkdir(folder, { recursive: true })
  const manifest = {
    schema_version: 1,
    kind,
    provider: 'mirror',
    key,
    variables: [{ name: 'temperature_2m', unit: '°C' }],
    freq: 'PT1H',
    timezone: 'Europe/Berlin',
    coverage: { start: '2025-01-01', end: '2025-12-31' },
    vintages: true,
    license: 'CC BY 4.0',
    generated_at: '2025-06-01T00:00:00Z',
    parts: Object.entries(parts).map(([file, text]) => ({
      file,
      sha256: createHash('sha256').update(text).digest('hex')
    })),
    ...change
  }
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest))
  for (const [file, text] of Object.entries(parts)) await writeFile(join(folder, file), text)
}

const request = <K extends Kind>(kind: K, key: KeyOf[K], change: Partial<CovariateRequest> = {}): CovariateRequest => ({
  kind,
  key,
  variables: ['temperature_2m'],
  startMs: at('2025-03-01'),
  endMs: at('2025-11-01'),
  cutoffMs: at('2025-06-01'),
  mode: 'as_of',
  signal: new AbortController().signal,
  ...change
})
const cache = new AnswerCache(1_000_000)
const only = async (root: string) => (await catalogProviders(root, cache))[0]!
const berlin = { latitude: 52.52, longitude: 13.4 }

t.test("parts with vintages, civil times of the manifest's zone on both changes of clocks, and what was known when", async (t) => {
  const root = await mount(t, 'weather', '52.5,13.4', {
    'part-0001.csv': 'valid_time,issued_at,published_at,temperature_2m\n2025-03-30 ' +
      '01:00,2025-03-29T00:00:00Z,2025-03-29T06:00:00Z,5\n2025-03-30 ' +
      '03:00,2025-03-29T00:00:00Z,2025-03-29T06:00:00Z,6\n2025-03-30 ' +
      '01:00,2025-03-29T12:00:00Z,2025-03-29T18:00:00Z,5.5\n',
    'part-0002.csv':
      'valid_time,issued_at,published_at,temperature_2m\n2025-10-26T02:00:00+02:00,,,7\n2025-10-26T02:00:00+01:00,,,8\n2025-10-26T02:00:00Z,,,\n'
  })
  const provider = await only(root)
  t.match(provider, { id: 'mirror', kind: 'weather', transport: 'catalog' })
  const { observations: [temperature], missing } = await provider.fetch(request('weather', berlin))
  t.strictSame(missing, [])
  t.strictSame([...temperature!.validTimeMs].map((time) => new Date(time).toISOString().slice(0, 16)), [
    '2025-03-30T00:00',
    '2025-03-30T00:00',
    '2025-03-30T01:00',
    '2025-10-26T00:00',
    '2025-10-26T01:00',
    '2025-10-26T02:00'
  ])
  const known = (
    cutoff: string
  ) => [
    ...asOf(temperature!, {
      cutoffMs: at(cutoff),
      pointInTime: true,
      requirePublished: true,
      lag: provider.lagOf('temperature_2m')
    }).values
  ]
  t.strictSame(known('2025-03-29T05:00:00Z'), [])
  t.strictSame(known('2025-03-29T06:00:00Z'), [5, 6])
  t.strictSame(known('2025-12-31'), [5.5, 6], 'without a publication they are not known')
})

t.test('the nearest place within 25 km', async (t) => {
  const root = await mount(t, 'weather', '52.5,13.4', { 'part-1.csv': 'valid_time,temperature_2m\n2025-04-01,1\n' })
  await addKey(root, 'weather', '52.4,13.1', { 'part-1.csv': 'valid_time,temperature_2m\n2025-04-01,2\n' })
  await mkdir(join(root, 'weather', 'mirror', 'notes'))
  const provider = await only(root)
  t.equal((await provider.fetch(request('weather', berlin))).observations[0]!.values[0], 1)
  t.equal((await provider.fetch(request('weather', { latitude: 52.39, longitude: 13.06 }))).observations[0]!.values[0],
    2)
  t.equal(await provider.covers({ latitude: 52.5, longitude: 13.7 }, []), true, '20 km away')
  t.equal(await provider.covers({ latitude: 52.5, longitude: 13.8 }, []), false, '27 km away')
  t.match(await provider.fetch(request('weather', { latitude: 0, longitude: 0 })), {
    observations: [],
    missing: [{ variable: 'temperature_2m', reason: 'mirror does not have it there' }]
  })
})

t.test('a place that is added to thousands is found', async (t) => {
  const root = await mount(t, 'weather', '52.5,13.4', { 'part-1.csv': 'valid_time,temperature_2m\n2025-04-01,1\n' })
  const folder = join(root, 'weather', 'mirror')
  for (let place = 0; place < 2000; place++) {
    await mkdir(join(folder, `${(place / 100 - 60).toFixed(2)},${(place % 180).toFixed(1)}`))
  }
  const provider = await only(root)
  const covers = async (latitude: number) => await provider.covers({ latitude, longitude: 13.4 }, [])
  t.strictSame([await covers(52.5), await covers(70)], [true, false])
  await addKey(root, 'weather', '70.0,13.4', {})
  t.strictSame([await covers(52.5), await covers(70)], [true, true])
  // Long unchanged: what was listed is kept until the folder's time is another.
  await utimes(folder, new Date('2025-01-01'), new Date('2025-01-01'))
  t.strictSame([await covers(70), await covers(80), await covers(80)], [true, false, false])
  await addKey(root, 'weather', '80.0,13.4', {})
  t.equal(await covers(80), true)
})

t.test('the hour that clocks show twice is told by the order of rows, where a time cannot come twice', async (t) => {
  const hours = ['00:30', '01:00', '01:30', '02:00', '02:30', '02:00', '02:30', '03:00']
  const root = await mount(t, 'weather', '52.5,13.4', {
    'part-1.csv': `valid_time,temperature_2m\n${hours.map((hour, row) => `2025-10-26 ${hour},${row}\n`).join('')}`
  }, { freq: 'PT30M', vintages: false })
  const { observations: [found] } = await (await only(root)).fetch(request('weather', berlin))
  const expected = Array.from({ length: 8 }, (_, row) => at('2025-10-25T22:30:00Z') + row * 1_800_000)
  t.strictSame([...found!.validTimeMs], expected)
  t.strictSame([...found!.values], [0, 1, 2, 3, 4, 5, 6, 7])
})

t.test('series, zones by name or code, lines, holidays', async (t) => {
  const of = (name: string) => ({ variables: [{ name, unit: null }], freq: 'P1D', timezone: 'UTC' })
  const csv = (name: string) => ({ 'part-1.csv': `valid_time,${name}\n2025-04-01,3\n` })
  const cases: Array<[Kind, string, string, KeyOf[Kind]]> = [
    ['macro', 'cpi', 'cpi', {}],
    ['rates', 'EXR.D.USD.EUR.SP00.A', 'EXR/D.USD.EUR.SP00.A', {}],
    ['electricity', 'DE-LU', 'day_ahead_price', { zone: '10Y1001A1001A82H' }],
    ['electricity', '10Y1001A1001A82H', 'day_ahead_price', { zone: 'de_lu' }],
    ['transport', 'P', 'cancelled_share', { line: 'P' }],
    ['holidays', 'DE-BY', 'is_holiday', { country: 'DE', subdivision: 'BY', timeZone: null }]
  ]
  for (const [kind, folder, variable, key] of cases) {
    const provider = await only(await mount(t, kind, folder, csv(variable), of(variable)))
    t.equal(await provider.covers(key, [variable]), true, folder)
    t.equal((await provider.fetch(request(kind, key, { variables: [variable] }))).observations[0]?.values[0], 3, folder)
  }
})

t.test('a name of a request never becomes a path', async (t) => {
  const root = await mount(t, 'transport', 'P', { 'part-1.csv': 'valid_time,temperature_2m\n2025-04-01,1\n' })
  await addKey(root, 'weather', '1,1', { 'part-1.csv': '' })
  const provider = catalog({
    id: 'x',
    kind: 'transport',
    folder: join(root, 'transport', 'mirror'),
    maxBytes: 1000,
    maxTotalBytes: 1000,
    attribution: '',
    lagOf: lagLookup('transport'),
    cache
  })
  for (const line of ['../../weather/mirror/1,1', '.', '..', 'P/', '', '__proto__']) {
    t.equal(await provider.covers({ line }, []), false, line)
  }
})

t.test('a Parquet part has the columns of the same CSV; a changed file is read anew', async (t) => {
  const csv = 'valid_time,temperature_2m,precipitation\n' +
    Array.from({ length: 100 },
      (_, hour) =>
        `${new Date(at('2025-03-30') + hour * 3_600_000).toISOString()},${hour % 7 === 0 ? '' : hour / 8},${hour}\n`)
      .join('')
  const variables = [{ name: 'temperature_2m', unit: null }, { name: 'precipitation', unit: null }]
  const change = { timezone: 'UTC', variables }
  const asked = request('weather', berlin, {
    variables: ['precipitation', 'temperature_2m'],
    startMs: at('2025-03-30T02:00'),
    endMs: at('2025-04-01')
  })
  const csvRoot = await mount(t, 'weather', '52.5,13.4', { 'part-1.csv': csv }, change)
  const expected = await (await only(csvRoot)).fetch(asked)
  t.equal(expected.observations[0]!.values.length, 46)
  const root = join(csvRoot, 'parquet')
  await addKey(root, 'weather', '52.5,13.4', {}, change)
  const folder = join(root, 'weather', 'mirror', '52.5,13.4')
  const write = async (text: string) => {
    const path = join(folder, 'part-1.parquet')
    await writeParquetPart(path, text)
    const sha256 = createHash('sha256').update(await readFile(path)).digest('hex')
    const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as object
    await writeFile(join(folder, 'manifest.json'),
      JSON.stringify({ ...manifest, parts: [{ file: 'part-1.parquet', sha256 }] }))
  }
  await write(csv)
  const provider = await only(root)
  t.strictSame(await provider.fetch(asked), expected)
  const [first] = (await provider.fetch(asked)).observations
  first!.values.fill(-1)
  t.strictSame(await provider.fetch(asked), expected, 'what a caller does to its copy changes nothing')
  await write(csv.replace(',2\n', ',2000\n'))
  t.equal((await provider.fetch(asked)).observations.find(({ variable }) => variable === 'precipitation')!.values[0],
    2000)
  await writeFile(join(folder, 'part-1.parquet'), (await readFile(join(folder, 'part-1.parquet'))).subarray(0, 900))
  await t.rejects(provider.fetch(asked), { code: 'CATALOG_DAMAGED', message: /another checksum/ } as never)
})

t.test('what is damaged is named', async (t) => {
  const csv = 'valid_time,temperature_2m\n2025-04-01,1\n'
  const fetch = async (parts: Record<string, string>, change: object = {}) => {
    const root = await mount(t, 'weather', '52.5,13.4', parts, change)
    return await (await only(root)).fetch(request('weather', berlin))
  }
  const cases: Array<[RegExp, Record<string, string>, object?]> = [
    [/another checksum/, { 'part-1.csv': csv }, { parts: [{ file: 'part-1.csv', sha256: '0'.repeat(64) }] }],
    [/parts.0.file is not of the expected type/, {}, { parts: [{ file: '../../x.csv', sha256: '0'.repeat(64) }] }],
    [/of another folder/, { 'part-1.csv': csv }, { key: 'other' }],
    [/of another folder/, { 'part-1.csv': csv }, { kind: 'macro' }],
    [/time zone/, { 'part-1.csv': csv }, { timezone: 'Mars' }],
    [/schema_version/, { 'part-1.csv': csv }, { schema_version: 2 }],
    [/no column valid_time/, { 'part-1.csv': 'a,temperature_2m\n1,2' }],
    [/no column temperature_2m/, { 'part-1.csv': 'valid_time\n2025-04-01' }],
    [/ISO 8601/, { 'part-1.csv': 'valid_time,temperature_2m\n01.04.2025,1' }],
    [/not a number/, { 'part-1.csv': 'valid_time,temperature_2m\n2025-04-01,warm' }],
    [/the lag of temperature_2m in its manifest names no time zone/, { 'part-1.csv': csv }, {
      variables: [{ name: 'temperature_2m', unit: null, lag: { day_before: { time: '12:00', timezone: 'Mars' } } }]
    }],
    [/variables.0.lag/, { 'part-1.csv': csv }, {
      variables: [{ name: 'temperature_2m', unit: null, lag: { after_hours: 1 } }]
    }],
    [/cannot be read/, {}, { parts: [{ file: 'part-9.csv', sha256: '0'.repeat(64) }] }]
  ]
  for (const [message, parts, change] of cases) {
    await t.rejects(fetch(parts, change), { name: 'ProviderError', code: 'CATALOG_DAMAGED', message } as never,
      String(message))
  }
  await t.rejects(fetch({ 'part-1.parquet': 'PAR1' }), { code: 'CATALOG_DAMAGED', message: /in UTC/ } as never)
  for (const [message, parts] of [[/no column valid_time/, { 'part-1.csv': 'a,temperature_2m\n1,2' }], [
    /no column temperature_2m/,
    { 'part-1.csv': 'valid_time\n2025-04-01' }
  ], [/ISO 8601: row 1 has "01.04.2025"/, { 'part-1.csv': 'valid_time,temperature_2m\n01.04.2025,1' }], [
    /ISO 8601: it is empty/,
    { 'part-1.csv': 'valid_time,temperature_2m\n2025-04-01,1\n,2\n' }
  ], [/not a number: row 2 has "warm"/, { 'part-1.csv': 'valid_time,temperature_2m\n2025-04-01,1\n2025-04-02,warm\n' }],
    [/damaged|Parquet/, { 'part-1.parquet': 'PAR1' }]] as Array<[RegExp, Record<string, string>]>) {
    await t.rejects(fetch(parts, { timezone: 'UTC' }), { code: 'CATALOG_DAMAGED', message } as never,
      `UTC: ${String(message)}`)
  }
  const root = await mount(t, 'weather', '52.5,13.4', { 'part-1.csv': csv, 'part-2.csv': csv })
  const small = (maxBytes: number, maxTotalBytes: number) =>
    catalog({
      id: 'x',
      kind: 'weather',
      folder: join(root, 'weather', 'mirror'),
      maxBytes,
      maxTotalBytes,
      attribution: '',
      lagOf: lagLookup('weather'),
      cache
    })
  await t.rejects(small(10, 1000).fetch(request('weather', berlin)), { code: 'ANSWER_TOO_LARGE' } as never)
  await t.rejects(small(1000, csv.length).fetch(request('weather', berlin)), { code: 'ANSWER_TOO_LARGE' } as never)
  await writeFile(join(root, 'weather', 'mirror', '52.5,13.4', 'manifest.json'), '{"__proto__": 1}')
  await t.rejects(small(1000, 1000).fetch(request('weather', berlin)), { code: 'CATALOG_DAMAGED' } as never)
  await t.rejects(catalogProviders(join(root, 'nowhere'), cache), { code: 'CATALOG_DAMAGED' } as never)
  const piped = await mount(t, 'weather', '52.5,13.4', { 'part-1.csv': csv })
  const part = join(piped, 'weather', 'mirror', '52.5,13.4', 'part-1.csv')
  await rm(part)
  execFileSync('mkfifo', [part])
  await t.rejects((await only(piped)).fetch(request('weather', berlin)),
    { code: 'CATALOG_DAMAGED', message: /one of its files is none/ } as never, 'a pipe is not waited for')
  const gone = await only(root)
  await rm(join(root, 'weather'), { recursive: true })
  await t.rejects(gone.fetch(request('weather', berlin)),
    { code: 'CATALOG_DAMAGED', message: /cannot be listed/ } as never, 'it was there when the sources were listed')
  await t.rejects(async () => await gone.covers(berlin, []), { code: 'CATALOG_DAMAGED' } as never)
})
