import { parseArgs } from 'node:util'
import { loadConfig, requirement, settings, shownValue, sourceOf, type SettingSource } from '../platform/config.ts'

const sourceTexts: Record<SettingSource, string> = {
  environment: 'From the environment',
  file: 'From the file of TABCAST_CONFIG',
  default: 'Not set'
}

/**
 * `tabcast config [--json]`: prints every setting with which the service would start, without secrets. Throws
 * ConfigError.
 */
export async function runConfigCommand (args: string[], print: (text: string) => Promise<void>): Promise<number> {
  const { values: { json = false } } = parseArgs({ args, options: { json: { type: 'boolean' } } })
  const config = loadConfig() as Record<string, unknown>
  const shown = settings.map(([name, rule]) => ({
    name: `TABCAST_${name}`,
    value: shownValue(rule, config[name]),
    source: sourceOf(name),
    default: rule.default,
    rule: requirement(rule),
    description: rule.description
  }))
  if (json) {
    await print(JSON.stringify(shown, null, 2) + '\n')
    return 0
  }
  await print(
    shown.map(({ name, value, source, default: fallback, rule, description }) =>
      `${name}=${String(value)}\n    ${description} Default ${JSON.stringify(fallback)}, ${rule}. ${
        sourceTexts[source]
      }.\n`
    ).join('')
  )
  return 0
}
