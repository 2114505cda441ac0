import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { meantBreaks } from '../api/meant-breaks.ts'
import { openApiBreaks } from '../api/openapi-breaks.ts'
import { openApiDocument } from '../api/openapi-document.ts'

/**
 * `tabcast openapi` prints the interface description; with `--against FILE` what in it breaks clients that were written
 * for the description in that file, but for what `meant-breaks.ts` names. Gives the exit code: 1 when there is such a
 * thing.
 */
export async function runOpenApiCommand (args: string[], print: (text: string) => Promise<void>): Promise<number> {
  const { values: { against } } = parseArgs({ args, options: { against: { type: 'string' } } })
  const document = JSON.parse(JSON.stringify(await openApiDocument())) as Record<string, unknown>
  if (against === undefined) {
    await print(JSON.stringify(document, null, 2) + '\n')
    return 0
  }
  const all = openApiBreaks(JSON.parse(await readFile(against, 'utf8')) as Record<string, unknown>, document)
  const breaks = all.filter((line) => !meantBreaks.some((meant) => meant.breaks.test(line)))
  await print(
    breaks.length === 0
      ? `nothing breaks clients of ${against}${
        all.length === 0 ? '' : `, but for ${all.length} things that are meant`
      }\n`
      : breaks.map((line) => line + '\n').join('')
  )
  return breaks.length === 0 ? 0 : 1
}
