import { dataPaths, type Config } from '../platform/config.ts'
import { callAdminSocketIfThere } from '../services/keys/key-administration.ts'
import { reachData } from './reach-data.ts'
import { rotateKeyring, type KeyringRotation } from './rotate-keyring.ts'

/** `tabcast vault rotate`. False for wrong usage. */
export async function runVaultCommand (config: Config, action: string | undefined,
  print: (line: string) => void): Promise<boolean> {
  if (action !== 'rotate') return false
  const report = ({ keyId, rewrapped }: KeyringRotation): void =>
    print(
      `key ${keyId} is the only one of the keyring; ${rewrapped} records were wrapped with it anew. Back up the ` +
        'keyring.'
    )
  await reachData(config, async (socket) => {
    const rotation = await callAdminSocketIfThere(socket, 'POST', '/vault/rotate', {}) as KeyringRotation | undefined
    if (rotation === undefined) return false
    report(rotation)
    return true
  }, async (folder) => report(await rotateKeyring(dataPaths(config).keyring, folder)))
  return true
}
