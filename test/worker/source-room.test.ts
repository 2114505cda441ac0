import t from 'tap'
import { ScratchRoom } from '../../src/platform/disk/scratch-room.ts'
import { SourceRoom } from '../../src/worker/source-room.ts'

t.test('a run that is cancelled while it asks for room holds none', async (t) => {
  const scratch = new ScratchRoom({ folder: t.testdir({}), maxBytes: 4_000_000, minFreeBytes: 0, workers: 1 })
  const cancelled = new SourceRoom(scratch, 'acme')
  const asked = cancelled.reserve(700_000)
  cancelled.end()
  await asked
  const next = new SourceRoom(scratch, 'acme')
  await next.reserve(700_000)
  await t.rejects(new SourceRoom(scratch, 'acme').reserve(700_000), { name: 'NoSourceRoom', isTaken: true })
  next.end()
  await new SourceRoom(scratch, 'acme').reserve(700_000)
})
