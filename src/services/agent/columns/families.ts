import type { DataProfile, ProfiledColumn } from '../../../domain/data-profile.ts'
import type { PromptText } from '../text/prompt-text.ts'
import { commonWords, functionWords, grammarWords } from '../text/vocabulary.ts'
import { columnWords } from './column-words.ts'
import type { Mention } from './mentions.ts'

const maxWords = 3
const leastLetters = 4
const maxColumns = 2000

/**
 * Adds mentions that split a name differently than the column: `school holidays` is `schoolholiday`, `markdown 3` is
 * `MarkDown3`, and `the markdowns` are all columns that differ only in their number.
 */
export function withJoinedNames (mentions: readonly Mention[], text: PromptText, data: DataProfile): Mention[] {
  const names = joinedNames(data)
  if (names.size === 0) return [...mentions]
  const taken = new Set<number>()
  const joined: Mention[] = []
  for (let from = 0; from < text.tokens.length;) {
    const found = joinedAt(text, from, names)
    const isBetter = found !== undefined &&
      mentions.every((other) => other.to <= found.from || other.from >= found.to || isWeaker(other, found))
    if (found === undefined || !isBetter) {
      from++
      continue
    }
    joined.push(found)
    for (let at = found.from; at < found.to; at++) taken.add(at)
    from = found.to
  }
  if (joined.length === 0) return [...mentions]
  const left = mentions.filter(({ from, to }) =>
    !Array.from({ length: to - from }, (_, offset) => from + offset).some((at) => taken.has(at))
  )
  return [...left, ...joined].sort((one, other) => one.from - other.from)
}

function isWeaker (other: Mention, found: Mention): boolean {
  return other.from >= found.from && other.to <= found.to &&
    (other.likeness !== 'exact' || other.to - other.from < found.to - found.from)
}

function joinedAt (text: PromptText, from: number, names: ReadonlyMap<string, ProfiledColumn[]>): Mention | undefined {
  for (let to = Math.min(text.tokens.length, from + maxWords); to > from; to--) {
    const tokens = text.tokens.slice(from, to)
    if (tokens.some(({ kind }) => kind === 'mark' || kind === 'date') || tokens[0]?.kind === 'number') continue
    const key = tokens.flatMap(({ parts }) => parts).join('')
    const columns = key.length < leastLetters || isOrdinary(key) ? undefined : names.get(key)
    if (columns !== undefined) return { from, to, columns, likeness: 'exact' }
  }
  return undefined
}

function isOrdinary (word: string): boolean {
  return commonWords.has(word) || functionWords.has(word) || grammarWords.has(word)
}

/**
 * Columns by their names without separators. Columns that differ only in a final number are also found by the rest of
 * the name.
 */
function joinedNames ({ columns }: DataProfile): Map<string, ProfiledColumn[]> {
  const names = new Map<string, ProfiledColumn[]>()
  const add = (key: string, column: ProfiledColumn): void => {
    names.set(key, [...names.get(key) ?? [], column])
  }
  const numbered = new Map<string, ProfiledColumn[]>()
  for (const column of columns.slice(0, maxColumns)) {
    const parts = columnWords(column)
    const key = parts.join('')
    add(key, column)
    if (parts.length > 1 && /^\d+$/.test(parts.at(-1) as string)) {
      numbered.set(parts.slice(0, -1).join(''), [...numbered.get(parts.slice(0, -1).join('')) ?? [], column])
    }
  }
  for (const [stem, family] of numbered) if (family.length > 1 && !names.has(stem)) names.set(stem, family)
  return names
}

/** The columns that a mention means as covariates: the whole family, else the first column. */
export function meantTogether (columns: readonly ProfiledColumn[]): ProfiledColumn[] {
  const [first] = columns
  const stem = first === undefined || columns.length === 1 ? '' : stemOf(first)
  const isFamily = stem !== '' && columns.every((column) => stemOf(column) === stem)
  return isFamily ? [...columns] : columns.slice(0, 1)
}

/** The name without its last part. */
function stemOf (column: ProfiledColumn): string {
  return columnWords(column).slice(0, -1).join(' ')
}
