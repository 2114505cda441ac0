import { existsSync } from 'node:fs'
import { createKeyring } from './keyring.ts'
import { Vault } from './vault.ts'

/** The vault of an installation; its keyring is made when there is none. Throws KeyringError. */
export function openVault (keyringPath: string): Vault {
  if (!existsSync(keyringPath)) createKeyring(keyringPath)
  return new Vault(keyringPath)
}
