import type { Compression, SourceFormat } from '../../domain/files.ts'
import { ConnectorError } from './connector-error.ts'

/** How many bytes of a part are enough to recognise its format. */
export const magicLength = 512

const magic = {
  parquet: Buffer.from('PAR1'),
  gzip: Buffer.from([0x1f, 0x8b]),
  zstd: Buffer.from([0x28, 0xb5, 0x2f, 0xfd]),
  zip: Buffer.from('PK\u0003\u0004'),
  cfb: Buffer.from([0xd0, 0xcf, 0x11, 0xe0])
}

/** Throws FORMAT_MISMATCH if the first bytes of a part do not have the declared format and compression. */
export function checkMagic (start: Uint8Array, format: SourceFormat, compression: Compression | null): void {
  const beginsWith = (kind: keyof typeof magic): boolean =>
    Buffer.from(start).subarray(0, magic[kind].length).equals(magic[kind])
  const matches = compression !== null
    ? beginsWith(compression)
    : format === 'parquet'
    ? beginsWith('parquet')
    : !(Object.keys(magic) as Array<keyof typeof magic>).some(beginsWith) && isText(start, format)
  if (!matches) throw new ConnectorError('FORMAT_MISMATCH')
}

/** In the supported encodings, text never contains NUL; JSON begins with a bracket. */
function isText (start: Uint8Array, format: SourceFormat): boolean {
  if (start.includes(0)) return false
  if (format === 'csv') return true
  const first = Buffer.from(start).toString('latin1').replace(/^\u00ef\u00bb\u00bf/, '').trimStart()[0]
  return first === undefined || first === '{' || first === '['
}
