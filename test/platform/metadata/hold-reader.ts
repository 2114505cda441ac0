import { open } from 'lmdb'

// Opens a read transaction in the middle of a range and keeps it until it is killed.
const root = open({ path: process.argv[2] ?? '', readOnly: true, maxDbs: 32, encoding: 'binary' })
const walk = root.openDB({ name: 'jobs', encoding: 'binary' }).getRange()[Symbol.iterator]()
walk.next()
process.stdout.write('holding\n')
setInterval(() => walk.next(), 3_600_000)
