/**
 * Bytes that tell by themselves whether they are whole: number and version in front, a length and a fill that follow
 * from them.
 */
export function contentOf (number: number, version: number): Buffer {
  const bytes = Buffer.alloc(lengthOf(number, version), (number * 31 + version * 7) & 0xff)
  bytes.writeUInt32BE(number, 0)
  bytes.writeUInt32BE(version, 4)
  return bytes
}

/** The version, or undefined for bytes that are not exactly one version of this number. */
export function versionOf (number: number, bytes: Uint8Array): number | undefined {
  if (bytes.length < 8) return undefined
  const version = Buffer.from(bytes).readUInt32BE(4)
  return contentOf(number, version).equals(bytes) ? version : undefined
}

function lengthOf (number: number, version: number): number {
  return 8 + ((number * 7919 + version * 104_729) % 200_000)
}
