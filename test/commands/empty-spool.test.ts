import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { emptySpool } from '../../src/commands/empty-spool.ts'
import { runTabcast } from '../support/command.ts'

t.test('uploads that were under way are removed, and nothing else', async (t) => {
  const folder = t.testdir({
    spool: {
      '01JD0000000000000000000000': 'half',
      'probe-0b4f2f6e-9a53-4b0e-9d0f-3a1c2d4e5f60': '',
      'letters.csv': 'not ours',
      folder: { '01JD0000000000000000000000': 'not ours' }
    }
  })
  await emptySpool(join(folder, 'spool'))
  t.strictSame(readdirSync(join(folder, 'spool')).sort(), ['folder', 'letters.csv'])
  t.ok(existsSync(join(folder, 'spool', 'folder', '01JD0000000000000000000000')))
  await emptySpool(join(folder, 'new'))
  t.strictSame(readdirSync(join(folder, 'new')), [])
})

t.test('a link in place of the folder stops the start, and what it leads to stays', async (t) => {
  const folder = t.testdir({
    elsewhere: { '01JD0000000000000000000000': 'of somebody else', sub: { file: 'too' } },
    data: {}
  })
  symlinkSync(join(folder, 'elsewhere'), join(folder, 'data', 'spool'))
  for (const command of ['serve', 'api']) {
    const { status, stderr } = await runTabcast([command], {
      TABCAST_DATA_DIR: join(folder, 'data'),
      TABCAST_PORT: '0',
      TABCAST_NATS_URL: command === 'api' ? 'nats://127.0.0.1:1' : ''
    })
    t.equal(status, 78, stderr)
    t.match(stderr, /spool must be a folder and no link/)
  }
  t.strictSame(readdirSync(join(folder, 'elsewhere')).sort(), ['01JD0000000000000000000000', 'sub'])
  mkdirSync(join(folder, 'other'))
  writeFileSync(join(folder, 'other', 'spool'), '')
  await t.rejects(emptySpool(join(folder, 'other', 'spool')), { code: 'EEXIST' })
})
