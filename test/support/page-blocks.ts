import { readFileSync } from 'node:fs'

/** The code of a page in one language, block by block. */
export function blocksOf (page: string, language: string): string[] {
  const blocks = [...readFileSync(page, 'utf8').matchAll(/^```(\w*)\n([^]*?)^```$/gm)]
  const found = blocks.filter(([, one]) => one === language).map(([, , code = '']) => code)
  if (found.length === 0) throw new Error(`${page} has no ${language || 'text'}`)
  return found
}

/** The block between two markers of a page. */
export function namedBlock (page: string, name: string, language: string): string {
  const text = new RegExp(`<!-- ${name}:begin -->\\n\`\`\`${language}\\n([^]*?)\`\`\`\\n<!-- ${name}:end -->`)
    .exec(readFileSync(page, 'utf8'))?.[1]
  if (text === undefined) throw new Error(`${page} has no ${language || 'text'} named ${name}`)
  return text
}
