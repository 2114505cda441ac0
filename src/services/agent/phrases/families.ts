import { columns } from './table/columns.ts'
import { handling } from './table/handling.ts'
import { rows } from './table/rows.ts'
import { targets } from './table/targets.ts'
import { time } from './table/time.ts'

/**
 * The words that people use for each wish, as patterns (`pattern.ts`). A line that begins with `@` defines a class of
 * phrases that others use. Any other line is a family: the wish, how sure its phrases are (1: explicit), and its
 * patterns, separated by ` ; `. Indented lines continue the line before.
 */
export const families: string = [handling, time, columns, rows, targets].join('')
