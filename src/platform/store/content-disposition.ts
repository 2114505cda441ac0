/** Saved, never shown. */
export function attachment (filename: string): string {
  return `attachment; ${named(filename)}`
}

/** Shown where the caller wants it; the name is for saving it. */
export function inline (filename: string): string {
  return `inline; ${named(filename)}`
}

/**
 * What could break the header is replaced; a name that loses something by it is also given in the encoded form of
 * RFC 6266, which browsers prefer.
 */
function named (filename: string): string {
  const plain = filename.replaceAll(/[^A-Za-z0-9._-]/gu, '_')
  const encoded = encodeURIComponent(filename).replaceAll(/['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
  return `filename="${plain}"${plain === filename ? '' : `; filename*=UTF-8''${encoded}`}`
}
