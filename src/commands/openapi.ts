import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { meantBreaks } from '../api/meant-breaks.ts'
import { openApiBreaks } from '../api/openapi-breaks.ts'
import { openApiDocument } from '../api/openapi-document.ts'

/**
 * `tabcast openapi` prints the interface description. With `--against FILE` it prints what breaks clients of the
 * description in that file, except for the breaks in `meant-breaks.ts`, and returns exit code 1 when there is any.
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
