import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import t from 'tap'
import { ResultWatch } from '../../src/worker/result-watch.ts'
import { until } from '../support/until.ts'

const MiB = 2 ** 20
/** More than any disk has free. */
const everything = 2 ** 60

t.test('on a full disk the largest run of the tenant that has written most is ended, and one at a time', async (t) => {
  const folder = t.testdir({})
  const watch = new ResultWatch(folder, pino({ level: 'silent' }))
  const ended: string[] = []
  const runs = { 'many-small': 2, 'many-large': 3, one: 4, 'one-that-leaves-nothing-free': 9 }
  const unwatch: Record<string, () => void> = {}
  for (const name of Object.keys(runs)) {
    mkdirSync(join(folder, name))
    unwatch[name] = await watch.watch({
      tenant: name.replace(/-.*/, ''),
      folder: join(folder, name),
      kept: name.includes('nothing') ? 1 : everything,
      end: () => ended.push(name)
    })
  }
  for (const [name, size] of Object.entries(runs)) writeFileSync(join(folder, name, 'result'), Buffer.alloc(size * MiB))
  await until('a run is ended', () => ended.length > 0)
  t.strictSame(ended, ['many-large'])
  unwatch['many-large']?.()
  await until('the next is ended', () => ended.length > 1)
  t.strictSame(ended, ['many-large', 'one'], 'what has gone counts no more')
  for (const end of Object.values(unwatch)) end()
})
