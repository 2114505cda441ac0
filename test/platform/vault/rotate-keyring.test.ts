import { join } from 'node:path'
import t, { type Test } from 'tap'
import { recordTables } from '../../../src/commands/record-tables.ts'
import { rotateKeyring } from '../../../src/commands/rotate-keyring.ts'
import { everySealed } from '../../../src/commands/sealed-records.ts'
import { folderChecks } from '../../../src/operations/doctor/folder-checks.ts'
import { openMetadata } from '../../../src/platform/metadata/open-metadata.ts'
import { addKey, readKeyring } from '../../../src/platform/vault/keyring.ts'
import { openVault } from '../../../src/platform/vault/open-vault.ts'
import { loadSecrets } from '../../../src/services/keys/secrets.ts'
import type { ConnectionRecord } from '../../../src/services/connections/connection-record.ts'
import { ReadsATurn } from '../../support/reads-a-turn.ts'

/** A record with so many connections, each with one secret. */
async function openFolder (t: Test, count: number) {
  const folder = t.testdir({})
  const path = join(folder, 'keyring.json')
  const metadata = await openMetadata({ path: join(folder, 'metadata'), tables: recordTables })
  t.teardown(() => metadata.close())
  const vault = openVault(path)
  const connections = metadata.table<ConnectionRecord>('connections')
  const ids = Array.from({ length: count }, (_one, index) => `conn_${index}`)
  const add = async (connectionId: string) => {
    const credentials = {
      secret_access_key: vault.seal(`secret of ${connectionId}`, ['acme', connectionId, 'secret_access_key'])
    }
    await metadata.transact((tx) =>
      tx.put(connections, ['acme', connectionId],
        { v: 1, tenant: 'acme', connectionId, credentials } as unknown as ConnectionRecord)
    )
  }
  await Promise.all(ids.map(add))
  const read = (connectionId: string, reader = vault): string => {
    const sealed = connections.get(['acme', connectionId])?.value.credentials['secret_access_key']
    if (sealed === undefined) throw new Error(`no secret of ${connectionId}`)
    return reader.open(sealed, ['acme', connectionId, 'secret_access_key']).toString()
  }
  return { path, metadata, vault, connections, ids, add, read }
}

t.test('crash matrix 32: every secret is readable at every moment of a rotation, here and in another process', async (t) => {
  const { path, metadata, vault, connections, ids, add, read } = await openFolder(t, 50)
  const worker = openVault(path)
  const before = readKeyring(path).active
  const state = { isDone: false }
  let reads = 0
  const rotation = rotateKeyring(path, { metadata, vault }).finally(() => {
    state.isDone = true
  })
  const late = add('conn_late')
  while (!state.isDone) {
    for (const id of ids) {
      t.equal(read(id), `secret of ${id}`)
      t.equal(read(id, worker), `secret of ${id}`)
    }
    reads++
    await new Promise((resolve) => setImmediate(resolve))
  }
  await late
  const { keyId } = await rotation
  t.ok(reads > 1, 'it was read meanwhile')
  t.not(keyId, before)
  t.strictSame([...readKeyring(path).keys.keys()], [keyId])
  for (const id of [...ids, 'conn_late']) {
    t.equal(connections.get(['acme', id])?.value.credentials['secret_access_key']?.kekId, keyId)
  }
  t.equal(read('conn_late', worker), 'secret of conn_late', 'also one that was sealed while it began')
})

t.test('a secret of a tenant who writes much, sealed before a rotation, is wrapped by it', async (t) => {
  const { path, metadata, vault, connections, read } = await openFolder(t, 1)
  const late = vault.seal('late', ['acme', 'conn_late', 'secret_access_key'])
  const record = {
    ...connections.get(['acme', 'conn_0'])!.value,
    connectionId: 'conn_late',
    credentials: { secret_access_key: late }
  }
  const flood = Array.from({ length: 50 }, () =>
    metadata.transact(() => {
      const endMs = performance.now() + 1
      while (performance.now() < endMs);
    }, 'acme'))
  const written = metadata.transact((tx) => tx.put(connections, ['acme', 'conn_late'], record), 'acme')
  const { keyId } = await rotateKeyring(path, { metadata, vault })
  await Promise.all([...flood, written])
  t.equal(connections.get(['acme', 'conn_late'])?.value.credentials['secret_access_key']?.kekId, keyId)
  t.equal(read('conn_late'), 'late')
})

t.test('rotations at the same moment come one after the other', async (t) => {
  const { path, metadata, vault, ids, read } = await openFolder(t, 5)
  const rotations = await Promise.all([1, 2, 3].map(() => rotateKeyring(path, { metadata, vault })))
  t.strictSame(rotations.map(({ rewrapped }) => rewrapped), [5, 5, 5])
  t.strictSame([...readKeyring(path).keys.keys()], [rotations.at(-1)?.keyId])
  for (const id of ids) t.equal(read(id), `secret of ${id}`)
})

t.test('a rotation that ended half-way is finished by the next one', async (t) => {
  const { path, metadata, vault, ids, read } = await openFolder(t, 3)
  addKey(path)
  t.equal(readKeyring(path).keys.size, 2)
  t.equal((await rotateKeyring(path, { metadata, vault })).rewrapped, 3)
  t.equal(readKeyring(path).keys.size, 1)
  for (const id of ids) t.equal(read(id), `secret of ${id}`)
})

t.test('no key goes while a record cannot be opened', async (t) => {
  const { path, metadata, vault, connections, ids, read } = await openFolder(t, 3)
  await metadata.transact((tx) => {
    const record = tx.get(connections, ['acme', 'conn_1'])?.value as ConnectionRecord
    const sealed = record.credentials['secret_access_key']
    const damaged = { ...sealed, wrappedKey: Buffer.from(sealed?.wrappedKey ?? []).fill(0) } as typeof sealed
    tx.put(connections, ['acme', 'conn_1'], {
      ...record,
      credentials: { secret_access_key: damaged as NonNullable<typeof damaged> }
    })
  })
  await t.rejects(rotateKeyring(path, { metadata, vault }), { name: 'VaultError', code: 'corrupt' })
  t.equal(readKeyring(path).keys.size, 2, 'both keys are there')
  for (const id of ids.filter((one) => one !== 'conn_1')) t.equal(read(id), `secret of ${id}`)
})

t.test('a doctor and a rotation read some sealed records a turn, however many there are', async (t) => {
  const { path, metadata, vault } = await openFolder(t, 1_000)
  const reads = new ReadsATurn(metadata)
  t.teardown(() => reads.end())
  const secretsPath = `${path}.secrets`
  const checks = await folderChecks({
    metadata,
    vault,
    room: { shortage: () => undefined, availableBytes: () => 0 },
    secrets: loadSecrets(secretsPath),
    secretsPath,
    keyringPath: path,
    everySealed
  })
  t.match(checks.find(({ name }) => name === 'keyring'), {
    status: 'ok',
    message: /all 1000 sealed records can be opened/
  })
  t.ok(reads.most <= 200, `${reads.most} records in one turn`)
  await reads.reset()
  t.equal((await rotateKeyring(path, { metadata, vault })).rewrapped, 1_000)
  t.ok(reads.most <= 200, `${reads.most} records in one turn`)
  t.ok(reads.transactions < 100, `${reads.transactions} transactions`)
})
