import { randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

/*
 * An issued key is `tbc_<env>_<8 id>_<43 secret>_<6 crc>`, all parts base62. 43 characters carry 256 bits. The checksum
 * detects typos and lets secret scanners recognise leaked keys, without a look at the record.
 */
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const shape = /^tbc_([a-z0-9]{1,16})_([0-9A-Za-z]{8})_([0-9A-Za-z]{43})_([0-9A-Za-z]{6})$/

const idLength = 8
const secretLength = 43
const checksumLength = 6

/** A new id, probably but not certainly unique, so the caller must create the record only if it is absent. */
export function mintKeyId (): string {
  return randomBase62(idLength)
}

/** Whether a text has the form of an id; LMDB refuses other keys. */
export function isKeyId (text: string): boolean {
  return /^[0-9A-Za-z]{8}$/.test(text)
}

/** A complete new key with this id. */
export function mintKey (environment: string, id: string): string {
  const body = `tbc_${environment}_${id}_${randomBase62(secretLength)}`
  return `${body}_${checksum(body)}`
}

/** The id of a well-formed key; undefined when its shape or checksum is wrong. */
export function readKeyId (key: string): string | undefined {
  const match = shape.exec(key)
  if (match === null) return undefined
  const body = key.slice(0, -(checksumLength + 1))
  return match[4] === checksum(body) ? match[2] : undefined
}

function checksum (body: string): string {
  let rest = crc32(body)
  let digits = ''
  for (let i = 0; i < checksumLength; i++) {
    digits = alphabet.charAt(rest % alphabet.length) + digits
    rest = Math.floor(rest / alphabet.length)
  }
  return digits
}

function randomBase62 (length: number): string {
  let text = ''
  while (text.length < length) text += alphabet.charAt(randomInt(alphabet.length))
  return text
}
