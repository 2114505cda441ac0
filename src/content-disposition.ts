/**
 * Saved, never shown. What could break the header is replaced; a name that loses something by it is also given in the
 * encoded form of RFC 6266, which browsers prefer.
 */
export function attachment (filename: string): string {
  const plain = filename.replaceAll(/[^A-Za-z0-9._-]/gu, '_')
  const encoded = encodeURIComponent(filename).replaceAll(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
  return `attachment; filename="${plain}"${plain === filename ? '' : `; filename*=UTF-8''${encoded}`}`
}
