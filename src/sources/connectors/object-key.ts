import { ConnectorError } from './connector-error.ts'

export const maxKeyBytes = 1024

/** Characters that a store, a shell or a path on some machine may read as something else. */
// eslint-disable-next-line no-control-regex -- refusing them is the point
const refused = /[\u0000-\u001f\u007f-\u009f\\]|\p{Surrogate}/u

/**
 * Returns the key in Unicode's composed form. Throws INVALID_KEY for a key that some system might take for another one.
 */
export function checkObjectKey (key: string): string {
  const normal = key.normalize('NFC')
  if (normal === '' || normal.startsWith('/') || normal.endsWith('/')) throw new ConnectorError('INVALID_KEY')
  checkKeyText(normal)
  return normal
}

/** Like `checkObjectKey`, for the beginning of keys: it may be empty and may end with a slash. */
export function checkKeyPrefix (prefix: string): string {
  const normal = prefix.normalize('NFC')
  if (normal.startsWith('/')) throw new ConnectorError('INVALID_KEY')
  checkKeyText(normal)
  return normal
}

function checkKeyText (key: string): void {
  if (refused.test(key) || Buffer.byteLength(key) > maxKeyBytes) throw new ConnectorError('INVALID_KEY')
  if (key.split('/').some((segment) => segment === '..' || segment === '.')) throw new ConnectorError('INVALID_KEY')
}
