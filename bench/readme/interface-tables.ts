import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { limitsOf } from '../../src/api/limits.ts'
import { loadConfig } from '../../src/platform/config.ts'
import { table } from './markdown.ts'

interface Schema {
  description?: string
  properties?: Record<string, Schema>
  anyOf?: Schema[]
}

/** What GET /limits answers where no setting was changed. */
export function limitsTable (): string {
  const { components } = JSON.parse(readFileSync('src/api/openapi.json', 'utf8')) as {
    components: { schemas: Record<string, Schema> }
  }
  const fields = components.schemas['Limits']?.properties ?? {}
  const rows = Object.entries(limitsOf(loadConfig({}))).flatMap(([name, value]) => {
    const field = fields[name]
    if (field?.description === undefined) throw new Error(`openapi.json does not describe the limit ${name}`)
    const parts = field.anyOf?.find(({ properties }) => properties !== undefined)?.properties ?? {}
    return [
      [`\`${name}\``, shown(value), field.description],
      ...Object.entries(parts).map(([part, { description = '' }]) => {
        const inner = typeof value === 'object' ? Object.entries(value ?? {}).find(([key]) => key === part)?.[1] : null
        return [`\`${name}.${part}\``, shown(inner), description]
      })
    ]
  })
  return table(['limit', 'default', 'meaning'], rows)
}

function shown (value: unknown): string {
  if (typeof value === 'number') return value.toLocaleString('en-US')
  return value === null ? 'null' : ''
}

/** What `tabcast --help` prints. */
export function commandLine (): string {
  return helpOf()
}

/** What `tabcast forecast --help` prints. */
export function forecastCommandLine (): string {
  return helpOf('forecast')
}

function helpOf (...command: string[]): string {
  const { NODE_OPTIONS: _, ...env } = process.env
  const usage = execFileSync(process.execPath, ['dist/cli.js', ...command, '--help'], { encoding: 'utf8', env })
  return `\`\`\`\n${usage.trimEnd()}\n\`\`\``
}
