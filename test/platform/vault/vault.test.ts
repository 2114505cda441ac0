import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { Sealed } from '../../../src/domain/sealed.ts'
import { addKey, dropOldKeys, readKeyring } from '../../../src/platform/vault/keyring.ts'
import { openVault } from '../../../src/platform/vault/open-vault.ts'

const context = ['acme', 'conn_1', 'secret_access_key']

t.test('a secret comes back in its context, and nothing of it is in the envelope', async (t) => {
  const vault = openVault(join(t.testdir(), 'keyring.json'))
  const sealed = vault.seal('canary-4711', context)
  t.equal(vault.open(sealed, context).toString(), 'canary-4711')
  t.notMatch(Buffer.concat([sealed.wrappedKey, sealed.nonce, sealed.ciphertext, sealed.tag]).toString('latin1'),
    'canary')
  t.not(Buffer.compare(vault.seal('canary-4711', context).ciphertext, sealed.ciphertext), 0,
    'equal secrets do not look equal')
})

t.test('an envelope opens nowhere else, and not when a bit of it changed', async (t) => {
  const vault = openVault(join(t.testdir(), 'keyring.json'))
  const sealed = vault.seal('secret', context)
  for (const other of [['other', 'conn_1', 'secret_access_key'], ['acme', 'conn_2', 'secret_access_key'], ['acme',
    'conn_1'], ['acme","conn_1', 'secret_access_key']]) {
    t.throws(() => vault.open(sealed, other), { code: 'corrupt' })
  }
  for (const part of ['wrappedKey', 'nonce', 'ciphertext', 'tag'] as const) {
    const altered: Sealed = { ...sealed, [part]: Buffer.from(sealed[part]) }
    altered[part][0]! ^= 1
    t.throws(() => vault.open(altered, context), { code: 'corrupt' }, part)
  }
  t.throws(() => vault.open({ ...sealed, tag: sealed.tag.subarray(0, 4) }, context), { code: 'corrupt' },
    'a shortened tag')
})

t.test('keys rotate: old envelopes open until they are wrapped anew, another process sees the new key', async (t) => {
  const path = join(t.testdir(), 'keyring.json')
  const vault = openVault(path)
  const other = openVault(path)
  const old = vault.seal('secret', context)
  t.equal(vault.rewrap(old, context), undefined, 'nothing to do under the active key')
  const id = addKey(path)
  vault.reload()
  t.equal(vault.open(old, context).toString(), 'secret')
  const fresh = vault.rewrap(old, context) as Sealed
  t.equal(fresh.kekId, id)
  t.same(fresh.ciphertext, old.ciphertext, 'only the data key is wrapped anew')
  t.equal(other.open(fresh, context).toString(), 'secret', 'the file is read again for a key that is not known')
  dropOldKeys(path)
  vault.reload()
  t.equal(vault.open(fresh, context).toString(), 'secret')
  t.throws(() => vault.open(old, context), { code: 'unavailable' })
})

t.test("the keyring is only its owner's, and one that cannot be used is refused with a reason", async (t) => {
  const path = join(t.testdir(), 'keyring.json')
  openVault(path)
  t.equal(statSync(path).mode & 0o777, 0o600)
  const good = readFileSync(path, 'utf8')
  chmodSync(path, 0o644)
  t.throws(() => openVault(path), { name: 'KeyringError', message: /chmod 600/ })
  chmodSync(path, 0o600)
  for (const [content, reason] of [['{', /not JSON/], ['{}', /active/], ['{"active":"a","keys":{"a":"c2hvcnQ="}}',
    /32 bytes/], ['null', /active/], [good.replace('"active": "', '"active": "x'), /active/]] as const) {
    writeFileSync(path, content)
    t.throws(() => openVault(path), { name: 'KeyringError', message: reason })
  }
  writeFileSync(path, good)
  t.equal(readKeyring(path).keys.size, 1)
})
