import { chmod, mkdir, readdir, readFile, readlink, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { lockFile } from '../../../src/engine/file-lock.ts'
import { importBundle, type ImportOptions } from '../../../src/sources/covariates/bundle/import-bundle.ts'
import { bundleCaps } from '../../../src/sources/covariates/bundle/unpack-bundle.ts'
import { catalogProviders } from '../../../src/sources/covariates/catalog/catalog-providers.ts'
import { catalogStatus } from '../../../src/sources/covariates/catalog/catalog-status.ts'
import { AnswerCache } from '../../../src/sources/covariates/http/answer-cache.ts'
import { bundleEntries, sha256Of, tarOf, writeTar, type BundledFolder, type TarEntry } from '../../support/bundle.ts'
import { writeParquetPart } from '../../support/parquet-part.ts'

const at = (text: string) => Date.parse(text)
const berlin = 'weather/open-meteo/52.52,13.4'
const csv = (...rows: string[]) => ['valid_time,temperature_2m', ...rows].join('\n') + '\n'
const january = csv('2025-01-01T00:00:00Z,1', '2025-01-01T01:00:00Z,2')

/** A folder with room for bundles, and an empty catalogue in it. */
async function setUp (t: Test) {
  const folder = t.testdir({ catalogue: {} })
  const directory = join(folder, 'catalogue')
  let bundles = 0
  const importEntries = async (entries: readonly TarEntry[], change: Partial<ImportOptions> = {}) =>
    await importBundle({
      bundlePath: await writeTar(join(folder, `${bundles++}.tar`), entries),
      directory,
      replaces: false,
      ...change
    })
  const importFolders = async (folders: readonly BundledFolder[], change: Partial<ImportOptions> = {}) =>
    await importEntries(bundleEntries(folders), change)
  return { folder, directory, importEntries, importFolders }
}

/** Values of the first provider of the catalogue, by time. */
async function valuesAt (directory: string, latitude = 52.52, longitude = 13.4): Promise<number[]> {
  const [provider] = await catalogProviders(directory, new AnswerCache(1_000_000))
  const { observations } = await provider!.fetch({
    kind: 'weather',
    key: { latitude, longitude },
    variables: ['temperature_2m'],
    startMs: at('2024-01-01'),
    endMs: at('2026-01-01'),
    cutoffMs: at('2026-01-01'),
    mode: 'latest',
    signal: new AbortController().signal
  })
  return [...observations[0]?.values ?? []]
}

/** Everything in the catalogue's directory besides the lock. */
async function listing (directory: string): Promise<string[]> {
  return (await readdir(directory, { recursive: true })).filter((name) => name !== '.lock').sort()
}

t.test('a bundle becomes a catalogue; the same again changes nothing', async (t) => {
  const { directory, importFolders } = await setUp(t)
  const parquet = join(directory, '..', 'x.parquet')
  await writeParquetPart(parquet, january)
  const folders = [
    { path: berlin, parts: { 'part-1.csv': january } },
    { path: 'weather/open-meteo/-33.87,151.21', parts: { 'part-1.parquet': await readFile(parquet) } },
    {
      path: 'rates/ecb/policy_rate',
      parts: { 'part-1.csv': 'valid_time,policy_rate\n2025-01-01,2.5\n' },
      manifest: { variables: [{ name: 'policy_rate', unit: '%' }], freq: 'P1D' }
    }
  ]
  t.strictSame(await importFolders(folders), folders.map(({ path }) => ({ path, action: 'added' })))
  t.strictSame(await valuesAt(directory), [1, 2])
  t.strictSame(await valuesAt(directory, -33.87, 151.21), [1, 2])
  const before = await readlink(join(directory, 'current'))
  t.strictSame(await importFolders(folders), folders.map(({ path }) => ({ path, action: 'unchanged' })))
  t.equal(await readlink(join(directory, 'current')), before)
  const { keys, generation, ignored } = await catalogStatus(directory, at('2025-06-11T12:00:00Z'))
  t.strictSame([generation, ignored], [before, []])
  t.match(keys.find(({ kind }) => kind === 'rates'), {
    damage: null,
    variables: ['policy_rate'],
    freq: 'P1D',
    age_days: 10,
    vintages: false,
    parts: 1,
    bytes: 38,
    license: 'CC BY 4.0'
  })
})

t.test('a later bundle: behind what is there, in its place, or not at all', async (t) => {
  const { directory, importFolders } = await setUp(t)
  const manifest = { generated_at: '2025-07-01T00:00:00Z' }
  await importFolders([{ path: berlin, parts: { 'part-1.csv': january } }])
  const february = {
    path: berlin,
    parts: { 'part-1.csv': csv('2025-01-01T01:00:00Z,3', '2025-02-01T00:00:00Z,4') },
    manifest: { ...manifest, coverage: { start: '2025-01-01', end: '2025-02-15' }, vintages: true }
  }
  t.strictSame(await importFolders([february]), [{ path: berlin, action: 'merged' }])
  t.strictSame(await valuesAt(directory), [1, 2, 3, 4], 'of two values for one time, both are there')
  const merged = JSON.parse(await readFile(join(directory, 'current', berlin, 'manifest.json'), 'utf8')) as {
    coverage: object
    parts: Array<{ file: string }>
  }
  t.match(merged, {
    coverage: { start: '2025-01-01', end: '2025-02-15' },
    vintages: true,
    generated_at: '2025-07-01T00:00:00Z'
  })
  t.equal(new Set(merged.parts.map(({ file }) => file)).size, 2)
  t.strictSame(await importFolders([february]), [{ path: berlin, action: 'unchanged' }])
  const corrected = { ...february, manifest: { ...february.manifest, license: 'CC0' } }
  t.strictSame(
    await importFolders([{
      ...corrected,
      parts: {
        'part-1.csv': january,
        ...Object.fromEntries(Object.entries(february.parts).map(([, text]) => ['part-2.csv', text]))
      }
    }]),
    [{ path: berlin, action: 'replaced' }],
    'the same parts, of which something else is said'
  )
  t.strictSame(await valuesAt(directory), [1, 2, 3, 4])
  t.strictSame(await importFolders([{ path: berlin, parts: { 'part-9.csv': csv('2025-01-05,9') } }]), [{
    path: berlin,
    action: 'older'
  }])
  const other = { path: berlin, parts: { 'part-1.csv': csv('2025-01-01,7') }, manifest: { ...manifest, freq: 'P1D' } }
  await t.rejects(importFolders([other]), {
    name: 'BundleError',
    message: /cannot be added to the catalogue's: it is P1D, and the catalogue's is PT1H\. With --replace/
  } as never)
  for (const change of [{ timezone: 'Europe/Berlin' }, { variables: [{ name: 'temperature_2m', unit: 'F' }] }]) {
    await t.rejects(importFolders([{ ...other, manifest: { ...manifest, ...change } }]),
      { name: 'BundleError' } as never)
  }
  t.strictSame(await valuesAt(directory), [1, 2, 3, 4])
  t.strictSame(await importFolders([other], { replaces: true }), [{ path: berlin, action: 'replaced' }])
  t.strictSame(await valuesAt(directory), [7])
  const more = {
    path: berlin,
    parts: { 'part-1.csv': csv('2025-01-01,8') },
    manifest: {
      generated_at: '2025-08-01T00:00:00Z',
      freq: 'P1D',
      coverage: { start: '2024-12-01', end: '2025-02-01' }
    }
  }
  t.strictSame(await importFolders([more]), [{ path: berlin, action: 'replaced' }],
    'without vintages the longer one says it all')
  t.strictSame(await valuesAt(directory), [8])
})

t.test('folders that were put there by hand stay, and two states are kept at most', async (t) => {
  const { directory, importFolders } = await setUp(t)
  const [, manifest, part] = bundleEntries([{ path: 'weather/hand/10,20', parts: { 'part-1.csv': january } }])
  await mkdir(join(directory, 'weather/hand/10,20'), { recursive: true })
  for (const one of [manifest!, part!]) await writeFile(join(directory, one.path), one.body!)
  for (let month = 1; month <= 4; month++) {
    await importFolders([{
      path: berlin,
      parts: { 'part-1.csv': csv(`2025-0${month}-01,${month}`) },
      manifest: {
        generated_at: `2025-0${month}-28T00:00:00Z`,
        coverage: { start: '2025-01-01', end: `2025-0${month}-28` }
      }
    }])
  }
  t.strictSame(await valuesAt(directory, 10, 20), [1, 2])
  t.equal((await readdir(directory)).filter((name) => name.startsWith('.generation-')).length, 2)
  const status = await catalogStatus(directory, at('2025-06-01'))
  t.strictSame(status.keys.map(({ provider, damage }) => [provider, damage]), [['hand', null], ['open-meteo', null]])
  t.strictSame(status.ignored, ['weather'])
})

t.test('who reads by the link sees the next import, and one import waits for no other', async (t) => {
  const { directory, importFolders } = await setUp(t)
  await importFolders([{ path: berlin, parts: { 'part-1.csv': january } }])
  const [provider] = await catalogProviders(directory, new AnswerCache(1_000_000))
  const read = async () => [...(await provider!.fetch({
    kind: 'weather',
    key: { latitude: 52.52, longitude: 13.4 },
    variables: ['temperature_2m'],
    startMs: at('2024-01-01'),
    endMs: at('2026-01-01'),
    cutoffMs: 0,
    mode: 'latest',
    signal: new AbortController().signal
  })).observations[0]!.values]
  t.strictSame(await read(), [1, 2])
  const lock = lockFile(join(directory, '.lock'))
  const next = [{
    path: berlin,
    parts: { 'part-1.csv': csv('2025-01-01,5') },
    manifest: { generated_at: '2025-07-01T00:00:00Z' }
  }]
  await t.rejects(importFolders(next), { name: 'FileLockError', message: /is locked by pid/ } as never)
  lock.release()
  await importFolders(next)
  t.strictSame(await read(), [5])
})

t.test('what is damaged or hostile changes nothing and leaves nothing', async (t) => {
  const { folder, directory, importEntries, importFolders } = await setUp(t)
  await importFolders([{ path: berlin, parts: { 'part-1.csv': january } }])
  const before = await listing(directory)
  const one = { path: 'weather/open-meteo/1,1', parts: { 'part-1.csv': january } }
  const good = bundleEntries([one])
  const refuse = async (message: RegExp, entries: readonly TarEntry[], change: Partial<ImportOptions> = {}) => {
    await t.rejects(importEntries(entries, change), { name: 'BundleError', message } as never, String(message))
    t.strictSame(await listing(directory), before, 'the catalogue is as before')
  }
  const without = (path: string) => good.filter((entry) => entry.path !== path)
  const changed = (manifest: object) => bundleEntries([{ ...one, manifest }])
  const hostile: TarEntry[] = [
    ...['../evil.csv', '/etc/evil.csv', 'weather/../../evil.csv', 'weather/open-meteo/../../../part-1.csv',
      'weather/open-meteo/1,1/../part-1.csv', 'weather/open-meteo/.hidden/part-1.csv', 'weather/open-meteo/1,1/evil.sh',
      'weather/open-meteo/1,1/x/part-1.csv', 'weather\\open-meteo\\1,1\\part-1.csv', 'earth/open-meteo/1,1/part-1.csv',
      'weather/Open Meteo/1,1/part-1.csv', 'current/weather/x/part-1.csv',
      `weather/open-meteo/${'x'.repeat(161)}/part-1.csv`].map((path) => ({ path, body: 'x' })),
    { path: 'weather/open-meteo/1,1/part-2.csv', type: 'SymbolicLink', linkpath: '/etc/passwd' },
    { path: 'weather/open-meteo/1,1/part-2.csv', type: 'Link', linkpath: '/etc/passwd' },
    { path: 'weather/open-meteo/1,1/part-2.csv', type: 'CharacterDevice' },
    { path: 'weather/open-meteo/1,1/part-2.csv', type: 'FIFO' }
  ]
  for (const entry of hostile) await refuse(/is no (file of a catalogue|plain file)/, [...good, entry])
  await refuse(/part-1.csv is there twice/, [...good, { path: 'weather/open-meteo/1,1/part-1.csv', body: january }])
  await refuse(/no bundle.json/, without('bundle.json'))
  await refuse(/1,1\/part-1.csv is missing/, without('weather/open-meteo/1,1/part-1.csv'))
  await refuse(/1,1 is missing/, without('weather/open-meteo/1,1/manifest.json'))
  await refuse(/nothing says what it is for/, [...good, { path: 'weather/open-meteo/1,1/part-2.csv', body: january }])
  await refuse(/another checksum than bundle.json says/,
    good.map((entry) => entry.path.endsWith('manifest.json') ? { ...entry, body: `${String(entry.body)} ` } : entry))
  await refuse(/part-1.csv has another checksum than its manifest/,
    good.map((entry) => entry.path.endsWith('.csv') ? { ...entry, body: january.replace('2\n', '9\n') } : entry))
  await refuse(/bundle.json: the JSON cannot be read/, [{ path: 'bundle.json', body: '{' }, ...good.slice(1)])
  await refuse(/bundle.json: .*schema_version/, bundleEntries([one], { schema_version: 2 }))
  await refuse(/is no folder of a catalogue/,
    bundleEntries([one], { keys: [{ path: '../x/y', manifest_sha256: sha256Of('') }] }))
  await refuse(/of another folder/, changed({ key: '2,2' }))
  await refuse(/of another folder/, changed({ kind: 'macro' }))
  await refuse(/of another provider/, changed({ provider: 'other' }))
  await refuse(/freq is not of the expected type/, changed({ freq: 'PT7M' }))
  await refuse(/names a variable twice/,
    changed({ variables: [{ name: 'temperature_2m', unit: null }, { name: 'temperature_2m', unit: null }] }))
  await refuse(/no column pressure/, changed({ variables: [{ name: 'pressure', unit: null }] }))
  await refuse(/not a number/, bundleEntries([{ ...one, parts: { 'part-1.csv': csv('2025-01-01,hot') } }]))
  await refuse(/1,1: .*Parquet/, bundleEntries([{ ...one, parts: { 'part-1.parquet': 'PAR1 and no more' } }]))
  await refuse(/more than 2 files/, good, { caps: { ...bundleCaps, files: 2 } })
  await refuse(/part-1.csv has \d+ bytes, of at most 60/, [good[2]!, good[0]!], {
    caps: { ...bundleCaps, fileBytes: 60 }
  })
  await refuse(/more than 500 bytes/, good, { caps: { ...bundleCaps, totalBytes: 500 } })
  await refuse(/of at most/, [{ path: 'weather/open-meteo/1,1/part-1.csv', size: 2 ** 40 }])
  const raw = async (bytes: Buffer, message: RegExp) => {
    await writeFile(join(folder, 'raw.tar'), bytes)
    await t.rejects(importBundle({ bundlePath: join(folder, 'raw.tar'), directory, replaces: false }),
      { name: 'BundleError', message } as never, String(message))
    t.strictSame(await listing(directory), before)
  }
  const whole = tarOf(good)
  await raw(Buffer.from('not a tar at all'.repeat(100)), /cannot be read/)
  await raw(Buffer.alloc(0), /cannot be read|no bundle.json/)
  for (const cut of [1024 + 600, 1024 + 500, 1024 + 1]) {
    await raw(whole.subarray(0, whole.length - cut), /cannot be read|is missing/)
  }
  await raw(Buffer.concat([whole.subarray(0, 512), Buffer.from('x'), whole.subarray(513)]), /bundle.json/)
  await raw(
    gzipSync(Buffer.concat([tarOf([{ path: 'bundle.json', size: 2 ** 30 }]).subarray(0, 512), Buffer.alloc(2 ** 26)])),
    /cannot be read|of at most/
  )
})

t.test('a directory or a bundle that is not there, or may not be read', async (t) => {
  const { folder, directory } = await setUp(t)
  const options = { bundlePath: join(folder, 'none.tar'), directory, replaces: false }
  await t.rejects(importBundle(options), { name: 'BundleError', message: /is not there$/ } as never)
  t.strictSame(await listing(directory), [])
  await t.rejects(importBundle({ ...options, directory: join(folder, 'nowhere') }),
    { name: 'BundleError', message: /nowhere is not there: make the folder first/ } as never)
  await writeFile(join(folder, 'file'), '')
  await t.rejects(importBundle({ ...options, directory: join(folder, 'file') }),
    { name: 'BundleError', message: /is not a folder/ } as never)
  await t.rejects(catalogStatus(join(folder, 'nowhere'), 0),
    { name: 'ProviderError', code: 'CATALOG_DAMAGED', message: /cannot be listed/ } as never)
  if (process.getuid?.() === 0) return
  await chmod(directory, 0)
  await t.rejects(catalogStatus(directory, 0), { name: 'ProviderError', code: 'CATALOG_DAMAGED' } as never)
  await chmod(directory, 0o755)
})

t.test('the status marks what is damaged and goes on', async (t) => {
  const { directory, importFolders } = await setUp(t)
  const folders = ['1,1', '2,2', '3,3', '4,4', '5,5'].map((key) => ({
    path: `weather/open-meteo/${key}`,
    parts: { 'part-1.csv': january }
  }))
  await importFolders(folders)
  const path = (key: string, file: string) => join(directory, 'current/weather/open-meteo', key, file)
  await truncate(path('1,1', 'part-1.csv'), 10)
  await writeFile(path('2,2', 'manifest.json'), '{')
  await writeFile(path('3,3', 'manifest.json'), await readFile(path('4,4', 'manifest.json')))
  await writeFile(path('5,5', 'part-1.csv'), Buffer.alloc((await stat(path('5,5', 'part-1.csv'))).size))
  const { keys } = await catalogStatus(directory, at('2025-06-11'))
  t.match(keys.map(({ damage }) => damage), [/1,1: part-1.csv has another checksum/, /2,2: the JSON cannot be read/,
    /3,3: its manifest is that of another folder/, null, /5,5: part-1.csv has another checksum/])
})
