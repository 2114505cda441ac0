import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import t, { type Test } from 'tap'
import { loadConfig } from '../../src/platform/config.ts'
import { openStore } from '../../src/platform/store/open-store.ts'
import { storeConfig } from '../../src/platform/store/store-config.ts'
import { fetchExternalValues, type ExternalValuesOptions } from '../../src/worker/external-values.ts'

/** A slot whose values are others at each run. */
async function stage (t: Test) {
  const folder = t.testdir({})
  const store = await openStore(storeConfig(loadConfig({ TABCAST_DATA_DIR: folder }), Buffer.alloc(32)))
  let [runs, gathered] = [0, 0]
  const run = async (change: Partial<ExternalValuesOptions> = {}) => {
    const scratch = join(folder, `run-${++runs}`)
    await mkdir(scratch)
    return await fetchExternalValues({ store, log: pino({ level: 'silent' }) }, {
      prefix: 'acme/j/',
      folder: scratch,
      async gather (path) {
        await writeFile(path, `values ${++gathered}`)
        return undefined
      },
      signal: new AbortController().signal,
      deadlineMs: performance.now() + 10_000,
      ...change
    })
  }
  return { run, gathered: () => gathered, stored: join(folder, 'objects', 'acme', 'j', 'covariates') }
}

t.test('every run of a job has the values that its first run found', async (t) => {
  const { run, gathered } = await stage(t)
  const [first, second] = [await run(), await run({
    gather: async () => {
      throw new Error('nobody is asked again')
    }
  })]
  if ('code' in first || 'code' in second) throw new Error('no values')
  t.ok((await readFile(first.path)).equals(await readFile(second.path)))
  t.equal(gathered(), 1)
})

t.test('the store shares the bytes of the values, which are many', async (t) => {
  const { run, stored } = await stage(t)
  const values = await run()
  if ('code' in values) throw new Error('no values')
  t.equal((await stat(values.path)).ino, (await stat(stored)).ino)
})

t.test('of two runs at a time one is first, and both compute from its values', async (t) => {
  const { run, gathered } = await stage(t)
  const [one, other] = await Promise.all([run(), run()])
  if ('code' in one || 'code' in other) throw new Error('no values')
  t.equal(gathered(), 2)
  t.ok((await readFile(one.path)).equals(await readFile(other.path)))
})

t.test('a slot that finds none, and a run that is over', async (t) => {
  const broken = { code: 'dataset_too_large' as const, error: 'Too large.' }
  t.strictSame(await (await stage(t)).run({ gather: async () => broken }), broken)
  const stopped = new AbortController()
  stopped.abort('cancelled')
  await t.rejects((await stage(t)).run({ signal: stopped.signal }), 'cancelled')
})
