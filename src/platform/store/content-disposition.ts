/** Browsers save the file and never show it. */
export function attachment (filename: string): string {
  return `attachment; ${named(filename)}`
}

/** Browsers may show the file; the name is used if it is saved. */
export function inline (filename: string): string {
  return `inline; ${named(filename)}`
}

/**
 * Replaces characters that could break the header. A name that changes by that is also given in the encoded form of RFC
 * 6266, which browsers prefer.
 */
function named (filename: string): string {
  const plain = filename.replaceAll(/[^A-Za-z0-9._-]/gu, '_')
  const encoded = encodeURIComponent(filename).replaceAll(/['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
  return `filename="${plain}"${plain === filename ? '' : `; filename*=UTF-8''${encoded}`}`
}
