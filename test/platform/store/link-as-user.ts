import { chownSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openStore } from '../../../src/platform/store/open-store.ts'

// Without the superuser's rights a reader gets the object itself under a second name, which it cannot write to.
const folder = process.argv[2] ?? ''
const nobody = 65534
if (process.getuid?.() === 0) {
  chownSync(folder, nobody, nobody)
  process.setgid?.(nobody)
  process.setuid?.(nobody)
}
const store = await openStore({ driver: 'local', root: join(folder, 'objects') })
await store.putBytes('t/j/input', Buffer.from('original'))
const path = join(folder, 'mine')
await store.getToFile('t/j/input', path)
if (statSync(path).nlink !== 2) throw new Error('the file is a copy')
try {
  writeFileSync(path, 'changed!')
} catch (error) {
  process.stdout.write(`${(error as NodeJS.ErrnoException).code}\n`)
}
