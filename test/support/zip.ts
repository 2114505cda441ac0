const endSignature = 0x06054b50
const entrySignature = 0x02014b50
const localHeaderBytes = 30

export interface ZipEntry {
  name: string
  isStored: boolean
  modified: number
  bytes: Buffer
}

/** The entries of a zip file without compression or comment, in their order. */
export function zipEntries (file: Buffer): ZipEntry[] {
  const end = file.lastIndexOf(Buffer.from('504b0506', 'hex'))
  if (end < 0 || file.readUInt32LE(end) !== endSignature) throw new Error('not a zip file')
  let at = file.readUInt32LE(end + 16)
  return Array.from({ length: file.readUInt16LE(end + 10) }, () => {
    if (file.readUInt32LE(at) !== entrySignature) throw new Error('the directory of the zip file is damaged')
    const [nameBytes, extraBytes, commentBytes] = [file.readUInt16LE(at + 28), file.readUInt16LE(at + 30),
      file.readUInt16LE(at + 32)]
    const start = file.readUInt32LE(at + 42)
    const data = start + localHeaderBytes + file.readUInt16LE(start + 26) + file.readUInt16LE(start + 28)
    const entry = {
      name: file.toString('utf8', at + 46, at + 46 + nameBytes),
      isStored: file.readUInt16LE(at + 10) === 0,
      modified: file.readUInt32LE(at + 12),
      bytes: file.subarray(data, data + file.readUInt32LE(at + 20))
    }
    at += 46 + nameBytes + extraBytes + commentBytes
    return entry
  })
}

/** Bytes by name. */
export function readZip (file: Buffer): Map<string, Buffer> {
  return new Map(zipEntries(file).map(({ name, bytes }) => [name, bytes]))
}
