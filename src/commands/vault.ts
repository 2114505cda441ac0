import { existsSync } from 'node:fs'
import { lockFile } from '../engine/file-lock.ts'
import { ConfigError, dataPaths, type Config } from '../platform/config.ts'
import { makeDataFolder } from '../platform/disk/make-data-folder.ts'
import { createKeyring } from '../platform/vault/keyring.ts'
import { callAdminSocketIfThere } from '../services/keys/key-administration.ts'
import { reachData } from './reach-data.ts'
import { rotateKeyring, type KeyringRotation } from './rotate-keyring.ts'

/** `tabcast vault rotate` or `create`. False for wrong usage. */
export async function runVaultCommand (config: Config, action: string | undefined,
  print: (line: string) => void): Promise<boolean> {
  if (action === 'create') {
    await createVault(config, print)
    return true
  }
  if (action !== 'rotate') return false
  const report = ({ keyId, rewrapped }: KeyringRotation): void =>
    print(
      `key ${keyId} is the only one of the keyring; records sealed with it anew: ${rewrapped}. Back up the keyring.`
    )
  await reachData(config, async (socket) => {
    const rotation = await callAdminSocketIfThere(socket, 'POST', '/vault/rotate', {}) as KeyringRotation | undefined
    if (rotation === undefined) return false
    report(rotation)
    return true
  }, async (folder) => report(await rotateKeyring(dataPaths(config).keyring, folder)))
  return true
}

/** For a service whose keyring is lost, and which therefore does not start. A running one has its keyring in memory. */
async function createVault (config: Config, print: (line: string) => void): Promise<void> {
  const { keyring, lock: lockPath } = dataPaths(config)
  await makeDataFolder(config.DATA_DIR)
  const lock = lockFile(lockPath)
  try {
    if (existsSync(keyring)) throw new ConfigError(`TABCAST_KEYRING_FILE: ${keyring} exists; nothing was changed`)
    createKeyring(keyring)
  } finally {
    lock.release()
  }
  print(`${keyring}: a new keyring. What was sealed with another one stays closed. Back up the keyring.`)
}
