import { existsSync } from 'node:fs'
import { createKeyring } from './keyring.ts'
import { Vault } from './vault.ts'

/** Opens the vault of an installation, and makes its keyring if there is none. Throws KeyringError. */
export function openVault (keyringPath: string): Vault {
  if (!existsSync(keyringPath)) createKeyring(keyringPath)
  return new Vault(keyringPath)
}
