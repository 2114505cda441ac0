import { crc32, deflateRawSync } from 'node:zlib'

/**
 * A number, a text, a date (a serial number that is shown as one), a formula with or without its saved result, or
 * nothing.
 */
export type Cell = number | string | { date: number } | { formula: string, saved?: number } | null

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const links = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const relationships = 'http://schemas.openxmlformats.org/package/2006/relationships'
const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'

/** The parts of an .xlsx workbook by their names, to be changed before they become an archive. */
export function workbookParts (sheets: Record<string, Cell[][]>): Map<string, string> {
  const names = Object.keys(sheets)
  const parts = new Map([
    ['_rels/.rels',
      `${head}<Relationships xmlns="${relationships}"><Relationship Id="rId1" Type="${links}/officeDocument" ` +
      'Target="xl/workbook.xml"/></Relationships>'],
    ['xl/workbook.xml',
      `${head}<workbook xmlns="${main}" xmlns:r="${links}"><sheets>${
        names.map((name, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`).join('')
      }</sheets></workbook>`],
    ['xl/_rels/workbook.xml.rels',
      `${head}<Relationships xmlns="${relationships}">${
        names.map((_, index) =>
          `<Relationship Id="rId${index + 1}" Type="${links}/worksheet" Target="worksheets/sheet${index + 1}.xml"/>`
        ).join('')
      }</Relationships>`],
    ['xl/styles.xml', `${head}<styleSheet xmlns="${main}"><cellXfs count="2"><xf numFmtId="0"/><xf ` +
      'numFmtId="14"/></cellXfs></styleSheet>']
  ])
  for (const [index, rows] of Object.values(sheets).entries()) {
    parts.set(`xl/worksheets/sheet${index + 1}.xml`,
      `${head}<worksheet xmlns="${main}"><sheetData>${rows.map(rowXml).join('')}</sheetData></worksheet>`)
  }
  return parts
}

function rowXml (cells: Cell[], index: number): string {
  const xml = cells.map((cell, column) => cellXml(cell, `${String.fromCharCode(65 + column)}${index + 1}`))
  return `<row r="${index + 1}">${xml.join('')}</row>`
}

function cellXml (cell: Cell, place: string): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return `<c r="${place}"><v>${cell}</v></c>`
  if (typeof cell === 'string') return `<c r="${place}" t="inlineStr"><is><t>${cell}</t></is></c>`
  if ('date' in cell) return `<c r="${place}" s="1"><v>${cell.date}</v></c>`
  return `<c r="${place}"><f>${cell.formula}</f>${cell.saved === undefined ? '' : `<v>${cell.saved}</v>`}</c>`
}

/** A ZIP archive of deflated entries; `claimedBytes` are written as an entry's size in place of the true one. */
export function zipArchive (entries: Iterable<[string, string | Uint8Array]>,
  claimedBytes: Record<string, number> = {}): Uint8Array<ArrayBuffer> {
  const bodies: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, content] of entries) {
    const bytes = Buffer.from(content)
    const deflated = deflateRawSync(bytes, { level: 9 })
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(20, 0)
    fields.writeUInt16LE(8, 4)
    fields.writeUInt32LE(crc32(bytes), 10)
    fields.writeUInt32LE(deflated.length, 14)
    fields.writeUInt32LE(claimedBytes[name] ?? bytes.length, 18)
    fields.writeUInt16LE(Buffer.byteLength(name), 22)
    const body = Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.from(name), deflated])
    const place = Buffer.alloc(14)
    place.writeUInt32LE(offset, 10)
    directory.push(Buffer.from('PK\x01\x02\x14\0'), fields, place, Buffer.from(name))
    bodies.push(body)
    offset += body.length
  }
  const end = Buffer.alloc(18)
  const size = directory.reduce((sum, part) => sum + part.length, 0)
  end.writeUInt16LE(bodies.length, 4)
  end.writeUInt16LE(bodies.length, 6)
  end.writeUInt32LE(size, 8)
  end.writeUInt32LE(offset, 12)
  return new Uint8Array(Buffer.concat([...bodies, ...directory, Buffer.from('PK\x05\x06'), end]))
}

/** A compound file of version 3 with one stream, of at least 4,096 bytes, as encrypted workbooks are. */
export function compoundFile (name: string, bytes: number): Uint8Array<ArrayBuffer> {
  const sectors = Math.ceil(bytes / 512)
  const file = Buffer.alloc(512 * (3 + sectors))
  const [free, end, allocation] = [0xffffffff, 0xfffffffe, 0xfffffffd]
  file.write('d0cf11e0a1b11ae1', 'hex')
  for (const [at, value] of [[24, 0x3e], [26, 3], [28, 0xfffe], [30, 9], [32, 6]] as const) {
    file.writeUInt16LE(value, at)
  }
  // One sector of the allocation table (number 0), the directory in sector 1, the stream behind it.
  for (const [at, value] of [[44, 1], [48, 1], [56, 4096], [60, end], [68, end], [76, 0]] as const) {
    file.writeUInt32LE(value, at)
  }
  for (let at = 80; at < 512; at += 4) file.writeUInt32LE(free, at)
  for (let sector = 0; sector < 128; sector++) {
    const next = sector < sectors + 1 ? sector + 1 : sector === sectors + 1 ? end : free
    file.writeUInt32LE(sector === 0 ? allocation : sector === 1 ? end : next, 512 + sector * 4)
  }
  const entry = (index: number, title: string, kind: number, child: number, start: number, size: number) => {
    const at = 1024 + index * 128
    file.write(title, at, 'utf16le')
    file.writeUInt16LE(title === '' ? 0 : (title.length + 1) * 2, at + 64)
    file.writeUInt8(kind, at + 66)
    file.writeUInt8(1, at + 67)
    for (const [field, value] of [[68, free], [72, free], [76, child], [116, start], [120, size]] as const) {
      file.writeUInt32LE(value, at + field)
    }
  }
  entry(0, 'Root Entry', 5, 1, end, 0)
  entry(1, name, 2, free, 2, bytes)
  entry(2, '', 0, free, 0, 0)
  entry(3, '', 0, free, 0, 0)
  return new Uint8Array(file)
}
