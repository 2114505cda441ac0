// The types of clients/typescript from the interface description, on the standard output. `make docs` writes them; a
// test compares them.
import { openApiDocument } from '../dist/api/openapi-document.js'

const { components, paths } = await openApiDocument()
const nameOfBody = {
  createForecast: 'ForecastFields',
  createForecastFromObject: 'ObjectForecast',
  createClassification: 'ClassificationFields',
  createRegression: 'RegressionFields'
}

/** A JSON schema as a TypeScript type; `indent` is that of the line it stands on. */
function typeOf (schema, indent = '') {
  if (schema.$ref) return schema.$ref.split('/').at(-1)
  if ('const' in schema) return literal(schema.const)
  if (schema.enum) return schema.enum.map(literal).join(' | ')
  const union = schema.anyOf ?? schema.oneOf
  if (union) return [...new Set(union.map((part) => typeOf(part, indent)))].join(' | ')
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...schema, type }, indent)).join(' | ')
  if (schema.format === 'binary') return 'Blob'
  if (schema.type === 'array') return `Array<${schema.items ? typeOf(schema.items, indent) : 'unknown'}>`
  if (schema.type === 'object') return objectType(schema, indent)
  return { string: 'string', integer: 'number', number: 'number', boolean: 'boolean', null: 'null' }[schema.type] ??
    'unknown'
}

function objectType ({ properties = {}, required = [], additionalProperties }, indent) {
  const names = Object.keys(properties)
  if (names.length === 0) {
    const value = typeof additionalProperties === 'object' && Object.keys(additionalProperties).length > 0
      ? typeOf(additionalProperties, indent)
      : 'unknown'
    return `Record<string, ${value}>`
  }
  const lines = names.map((name) => {
    const inner = `${indent}  `
    const comment = properties[name].description
      ? `${inner}/** ${properties[name].description.replaceAll('*/', '* /')} */\n`
      : ''
    return `${comment}${inner}${/^[A-Za-z_]\w*$/.test(name) ? name : literal(name)}${
      required.includes(name) ? '' : '?'
    }: ${typeOf(properties[name], inner)}`
  })
  return `{\n${lines.join('\n')}\n${indent}}`
}

function literal (value) {
  return typeof value === 'string' ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'` : String(value)
}

/** What a caller sends: fields with a default may be left out. */
function requestType ({ properties, required = [], ...rest }) {
  const { file, ...fields } = properties
  return typeOf({ ...rest, type: 'object', properties: fields, required: required.filter((name) => name in fields) })
}

const blocks = Object.entries(components.schemas).map(([name, schema]) => [name, typeOf(schema), schema.description])
for (const methods of Object.values(paths)) {
  for (const { operationId, requestBody } of Object.values(methods)) {
    const name = nameOfBody[operationId]
    if (name) {
      blocks.push([name, requestType(Object.values(requestBody.content)[0].schema), `The fields of ${operationId}.`])
    }
  }
}
const text = blocks.map(([name, type, comment]) =>
  `${comment ? `/** ${comment} */\n` : ''}export type ${name === 'Error' ? 'ErrorBody' : name} = ${type}\n`
).join('\n')
process.stdout.write(
  `// Made by scripts/generate-client-types.mjs from the interface description: not to be edited.\n\n${text}`
)
