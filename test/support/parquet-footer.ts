/*
 * The footer of a Parquet file, read and written without knowing its schema: Thrift's compact protocol says the type of
 * every field. Tests look at what a footer declares, and make files whose footer lies.
 */

export interface Field {
  type: number
  value: Thrift
}
export type Struct = Map<number, Field>
export interface List {
  elementType: number
  items: Thrift[]
}
export type Thrift = boolean | bigint | number | Buffer | List | Struct

const types = { true: 1, false: 2, byte: 3, i16: 4, i32: 5, i64: 6, double: 7, binary: 8, list: 9, set: 10, struct: 12 }

/** FileMetaData: 2 schema, 3 num_rows, 4 row_groups. */
export function readFooter (file: Uint8Array): Struct {
  const bytes = Buffer.from(file)
  if (bytes.subarray(-4).toString() !== 'PAR1') throw new Error('not a Parquet file')
  const length = bytes.readUInt32LE(bytes.length - 8)
  return new Reader(bytes.subarray(bytes.length - 8 - length, bytes.length - 8)).struct()
}

/** The same file with another footer. */
export function withFooter (file: Uint8Array, footer: Struct): Buffer<ArrayBuffer> {
  const bytes = Buffer.from(file)
  const written = Buffer.from(writeStruct(footer))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(written.length)
  return Buffer.concat([bytes.subarray(0, bytes.length - 8 - bytes.readUInt32LE(bytes.length - 8)), written, length,
    Buffer.from('PAR1')])
}

class Reader {
  readonly #bytes: Buffer
  #at = 0

  constructor (bytes: Buffer) {
    this.#bytes = bytes
  }

  struct (): Struct {
    const fields: Struct = new Map()
    let id = 0
    for (;;) {
      const head = this.#byte()
      if (head === 0) return fields
      const type = head & 0x0f
      id = head >> 4 === 0 ? Number(this.#zigzag()) : id + (head >> 4)
      const value = type === types.true || type === types.false ? type === types.true : this.#value(type)
      fields.set(id, { type, value })
    }
  }

  #value (type: number): Thrift {
    switch (type) {
      case types.true:
      case types.false:
        return this.#byte() === types.true
      case types.byte:
        return this.#byte()
      case types.i16:
      case types.i32:
      case types.i64:
        return this.#zigzag()
      case types.double:
        return this.#take(8).readDoubleLE()
      case types.binary:
        return this.#take(Number(this.#varint()))
      case types.list:
      case types.set:
        return this.#list()
      case types.struct:
        return this.struct()
      default:
        throw new Error(`Thrift type ${type} is not known here`)
    }
  }

  #list (): List {
    const head = this.#byte()
    const count = head >> 4 === 15 ? Number(this.#varint()) : head >> 4
    const elementType = head & 0x0f
    return { elementType, items: Array.from({ length: count }, () => this.#value(elementType)) }
  }

  #byte (): number {
    return this.#take(1).readUInt8()
  }

  #take (length: number): Buffer {
    const taken = this.#bytes.subarray(this.#at, this.#at + length)
    this.#at += length
    return taken
  }

  #varint (): bigint {
    let value = 0n
    for (let shift = 0n;; shift += 7n) {
      const byte = BigInt(this.#byte())
      value |= (byte & 0x7fn) << shift
      if (byte < 0x80n) return value
    }
  }

  #zigzag (): bigint {
    const value = this.#varint()
    return (value >> 1n) ^ -(value & 1n)
  }
}

function writeStruct (fields: Struct): number[] {
  const bytes: number[] = []
  let last = 0
  for (const [id, { type, value }] of fields) {
    const written = typeof value === 'boolean' ? (value ? types.true : types.false) : type
    if (id > last && id - last <= 15) bytes.push((id - last) << 4 | written)
    else bytes.push(written, ...writeZigzag(BigInt(id)))
    if (typeof value !== 'boolean') bytes.push(...writeValue(type, value))
    last = id
  }
  return [...bytes, 0]
}

function writeValue (type: number, value: Thrift): number[] {
  if (typeof value === 'boolean') return [value ? types.true : types.false]
  if (typeof value === 'bigint') return writeZigzag(value)
  if (Buffer.isBuffer(value)) return [...writeVarint(BigInt(value.length)), ...value]
  if (value instanceof Map) return writeStruct(value)
  if (typeof value === 'number') {
    if (type === types.byte) return [value]
    const bytes = Buffer.alloc(8)
    bytes.writeDoubleLE(value)
    return [...bytes]
  }
  const { elementType, items } = value
  const head = items.length < 15
    ? [items.length << 4 | elementType]
    : [0xf0 | elementType, ...writeVarint(BigInt(items.length))]
  return [...head, ...items.flatMap((item) => writeValue(elementType, item))]
}

function writeZigzag (value: bigint): number[] {
  return writeVarint(value < 0n ? -2n * value - 1n : 2n * value)
}

function writeVarint (value: bigint): number[] {
  const bytes: number[] = []
  for (; value >= 0x80n; value >>= 7n) bytes.push(Number(value & 0x7fn) | 0x80)
  return [...bytes, Number(value)]
}

export function structAt (fields: Struct, id: number): Struct | undefined {
  const value = fields.get(id)?.value
  return value instanceof Map ? value : undefined
}

export function structsAt (fields: Struct, id: number): Struct[] {
  const value = fields.get(id)?.value
  return typeof value === 'object' && 'items' in value ? value.items.filter((item) => item instanceof Map) : []
}

export function textAt (fields: Struct, id: number): string | undefined {
  const value = fields.get(id)?.value
  return Buffer.isBuffer(value) ? value.toString('utf8') : undefined
}

export function integerAt (fields: Struct, id: number): bigint | undefined {
  const value = fields.get(id)?.value
  return typeof value === 'bigint' ? value : undefined
}
