import { once } from 'node:events'
import { openStore, type StoreConfig } from '../../../src/platform/store/open-store.ts'
import { contentOf } from './content.ts'

// Overwrites 16 objects round after round until it is killed; prints `<number> <version>` when a version is stored.
const [config = '', firstVersion = ''] = process.argv.slice(2)
const store = await openStore(JSON.parse(config) as StoreConfig)
for (let version = Number(firstVersion);; version++) {
  await Promise.all(Array.from({ length: 16 }, async (_, number) => {
    await store.putBytes(`crash/job${number % 4}/run${number}/data`, contentOf(number, version))
    if (!process.stdout.write(`${number} ${version}\n`)) await once(process.stdout, 'drain')
  }))
}
