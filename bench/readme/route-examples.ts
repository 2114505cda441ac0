import { readFileSync } from 'node:fs'
import { table } from './markdown.ts'

interface Schema {
  $ref?: string
  anyOf?: Schema[]
  examples?: unknown[]
}
interface MediaType {
  schema: Schema
  example?: unknown
}
interface Operation {
  summary: string
  tags: string[]
  security?: unknown[]
  parameters?: Array<{ name: string, in: string, required?: boolean }>
  requestBody?: { content: Record<string, MediaType> }
  responses: Record<string, { content?: Record<string, MediaType> }>
}
interface Interface {
  tags: Array<{ name: string, description: string }>
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

const widest = 100
const description = JSON.parse(readFileSync('src/api/openapi.json', 'utf8')) as Interface

/** For each tag a table, in the order of the tags, and below it each route with a request and its answer. */
export function routeSections (): string {
  const routes = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation }))
  )
  const about = new Map(description.tags.map(({ name, description }) => [name, `${description}\n\n`]))
  const tagOf = ({ operation: { tags: [tag = ''] } }: typeof routes[number]) => tag
  return [...new Set([...about.keys(), ...routes.map(tagOf)])].map((tag) => {
    const own = routes.filter((route) => tagOf(route) === tag)
    const rows = own.map(({ method, path, operation: { summary } }) => [`\`${method} ${path}\``, summary])
    const examples = own.map(({ method, path, operation }) =>
      `#### \`${method} ${path}\`\n    ${request(method, path, operation)}\n\n${answerOf(operation)}`
    )
    return [`### ${tag}\n${about.get(tag) ?? ''}${table(['route', 'what it does'], rows)}`, ...examples].join('\n\n')
  }).join('\n\n')
}

/** Answers that have a name, for all routes that give them. */
export function answerSections (): string {
  return Object.entries(description.components.schemas).flatMap(([name, { examples }]) =>
    examples === undefined ? [] : [`### ${name}\n${block(examples[0])}`]
  ).join('\n\n')
}

function request (method: string, path: string, { security, parameters = [], requestBody, responses }: Operation) {
  const [[type, { example }] = ['', { example: undefined }]] = Object.entries(requestBody?.content ?? {})
  const query = parameters.filter((parameter) => parameter.in === 'query' && parameter.required === true).map(
    ({ name }) => `${name}=${name.toUpperCase()}`
  )
  const isSigned = path.endsWith('{*}')
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => name.toUpperCase())
  const words = [
    'curl',
    ...'307' in responses ? ['-L'] : [],
    ...security?.length === 0 ? [] : ['-H "$AUTH"'],
    ...method === 'GET' || (example !== undefined && method === 'POST') || method === 'PUT' ? [] : [`-X ${method}`],
    ...type === 'application/json' && example !== undefined
      ? ['-H "$JSON"', `-d ${quoted(JSON.stringify(example))}`]
      : [],
    ...type === 'multipart/form-data' ? formFields(example as Record<string, unknown>) : [],
    ...method === 'PUT' ? ['-H REQUIRED_HEADER ...', '-T sales.csv'] : [],
    isSigned ? '"SIGNED_ADDRESS"' : query.length > 0 ? `"$API${address}?${query.join('&')}"` : `$API${address}`
  ]
  return folded(words)
}

/** As many words on a line as fit. */
function folded ([first = '', ...words]: string[]): string {
  const lines = [first]
  for (const word of words) {
    const longer = `${lines.at(-1)} ${word}`
    if (longer.length <= widest) lines[lines.length - 1] = longer
    else lines.push(`  ${word}`)
  }
  return lines.join(' \\\n    ')
}

function formFields (example: Record<string, unknown>): string[] {
  return Object.entries(example).map(([name, value]) =>
    name === 'file' ? `-F file=@${String(value)}` : `-F ${name}=${quoted(String(value))}`
  )
}

function quoted (text: string): string {
  return /^[\w.,@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

function answerOf ({ responses }: Operation): string {
  return Object.entries(responses).filter(([status]) => Number(status) < 400).map(([status, { content = {} }]) => {
    const types = Object.keys(content)
    const [{ schema, example } = { schema: {} as Schema, example: undefined }] = Object.values(content)
    const names = [schema, ...schema.anyOf ?? []].flatMap(({ $ref }) => $ref?.split('/').at(-1) ?? [])
    if (status.startsWith('3')) return `\`${status}\`: to a signed address.`
    if (example !== undefined) return `\`${status}\`, ${types.join(' or ')}:\n${block(example)}`
    if (names.length > 0) {
      return `\`${status}\`: ${names.map((name) => `[${name}](#${name.toLowerCase()})`).join(' or ')}`
    }
    return types.length === 0 ? `\`${status}\`, without a body.` : `\`${status}\`, a file: ${types.join(', ')}.`
  }).join('\n\n')
}

function block (example: unknown): string {
  return `\`\`\`\n${typeof example === 'string' ? example.trimEnd() : jsonText(example)}\n\`\`\``
}

/** JSON whose small parts stand on one line. */
function jsonText (value: unknown, margin = ''): string {
  const line = JSON.stringify(value, null, 1).replaceAll(/\n */g, ' ')
  if (typeof value !== 'object' || value === null || (margin !== '' && margin.length + line.length <= widest)) {
    return line
  }
  const inner = `${margin}  `
  const parts = Array.isArray(value)
    ? value.map((one) => jsonText(one, inner))
    : Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${jsonText(one, inner)}`)
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  return `${open}\n${parts.map((part) => inner + part).join(',\n')}\n${margin}${close}`
}
