import t from 'tap'
import { ScratchSpace } from '../../src/platform/disk/scratch-space.ts'
import { SourceSpace } from '../../src/worker/source-space.ts'

t.test('a run that is cancelled while it asks for room holds none', async (t) => {
  const scratch = new ScratchSpace({ folder: t.testdir({}), maxBytes: 4_000_000, minFreeBytes: 0, workers: 1 })
  const cancelled = new SourceSpace(scratch, 'acme')
  const asked = cancelled.reserve(700_000)
  cancelled.end()
  await asked
  const next = new SourceSpace(scratch, 'acme')
  await next.reserve(700_000)
  await t.rejects(new SourceSpace(scratch, 'acme').reserve(700_000), { name: 'NoSourceSpace', isTaken: true })
  next.end()
  await new SourceSpace(scratch, 'acme').reserve(700_000)
})
