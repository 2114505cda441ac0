import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { openStore } from '../../../src/platform/store/open-store.ts'
import { contentOf, versionOf } from './content.ts'

// Writes objects until the disk is full, checks that the refused write left nothing, and writes again when there is
// space.
const root = process.argv[2] ?? ''
const store = await openStore({ driver: 'local', root })
const commands = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
const large = Buffer.alloc(5 * 1024 * 1024, 1)

// A write behind a file size limit ends the process, unless this signal is handled: then it fails with EFBIG.
process.on('SIGXFSZ', () => undefined)
process.stdout.write('ready\n')
await commands.next()
let written = 0
while (written < 100) {
  try {
    await store.putBytes(`t/j/x${written}`, contentOf(written, 1))
    written++
    if (written === 20) await store.putBytes('t/j/large', large)
  } catch (error) {
    if ((error as { code?: string }).code !== 'no_space') throw error
    break
  }
}
for (let number = 0; number < written; number++) {
  if (versionOf(number, await store.getBytes(`t/j/x${number}`, 1_000_000)) !== 1) {
    throw new Error(`object ${number} is damaged`)
  }
}
if (await store.stat('t/j/large')) throw new Error('the refused object is there')
if (readdirSync(join(root, '.tmp')).length > 0) throw new Error('the refused write left a file')
process.stdout.write('full\n')
await commands.next()
await store.putBytes('t/j/large', large)
if ((await store.stat('t/j/large'))?.bytes !== large.length) throw new Error('the object is not there')
process.stdout.write('recovered\n')
process.stdin.destroy()
