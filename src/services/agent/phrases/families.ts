import { columns } from './table/columns.ts'
import { handling } from './table/handling.ts'
import { rows } from './table/rows.ts'
import { targets } from './table/targets.ts'
import { time } from './table/time.ts'

/**
 * The words that people have for a wish, as patterns (`pattern.ts`). A line that begins with `@` is a class of
 * phrases that others use. Any
 * other is a family: what is wished, how sure its phrases are (1: in so many words), and its patterns with ` ; `
 * between them. Lines that are
 * indented go on with the one before.
 */
export const families: string = [handling, time, columns, rows, targets].join('')
