/*
 * What a filled form sends, and the command that sends the same.
 */
import { fieldsOf, resolved } from './description.js'

/** Fields of the form, by where they go: in the path, the query, the headers or the body. */
export function partsOf ({ parameters = [], requestBody }, description) {
  const named = parameters.map(({ name, in: place, required = false, schema, description: text }) => ({
    place,
    name,
    isRequired: required,
    schema: { ...resolved(schema, description), description: text }
  }))
  const { 'multipart/form-data': form } = requestBody?.content ?? {}
  if (form === undefined) return named
  const fields = fieldsOf(resolved(form.schema, description), description)
  // A file cannot be given as an example, and a field that is empty is not sent.
  return [...fields.map((field) => ({ place: 'form', example: form.example?.[field.name], ...field })), ...named]
}

/** Values are texts, or a File. Empty ones are not sent. */
export function requestOf ({ method, path, parts, values, json }) {
  const given = parts.filter(({ place, name }) => !isEmpty(values[`${place} ${name}`]))
    .map(({ place, name }) => ({ place, name, value: values[`${place} ${name}`] }))
  const at = (place) => given.filter((one) => one.place === place)
  const filled = at('path').reduce(
    (text, { name, value }) => text.replace(`{${name}}`, () => encodeURIComponent(value)),
    path
  )
  const query = new URLSearchParams(at('query').map(({ name, value }) => [name, value])).toString()
  return {
    method,
    address: query === '' ? filled : `${filled}?${query}`,
    headers: at('header').map(({ name, value }) => [name, value]),
    form: parts.some(({ place }) => place === 'form') ? at('form').map(({ name, value }) => [name, value]) : undefined,
    json: isEmpty(json) ? undefined : json
  }
}

export async function send ({ method, address, headers, form, json }, { key, signal }) {
  const sent = new Headers(headers)
  if (key !== '') sent.set('authorization', `Bearer ${key}`)
  if (json !== undefined) sent.set('content-type', 'application/json')
  let body = json
  if (form !== undefined) {
    body = new FormData()
    for (const [name, value] of form) body.append(name, value)
  }
  return await fetch(address, { method, headers: sent, body, signal })
}

/** With the definitions of the page on the first forecast: `$API`, and the headers in `$AUTH` and `$JSON`. */
export function commandOf ({ method, address, headers, form, json }, { isPublic }) {
  const hasBody = form !== undefined || json !== undefined
  return [
    'curl',
    ...isPublic ? [] : ['-H "$AUTH"'],
    ...headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...method === (hasBody ? 'POST' : 'GET') ? [] : [`-X ${method}`],
    ...(form ?? []).map(([name, value]) =>
      `-F ${quoted(`${name}=${value instanceof File ? `@${value.name}` : value}`)}`
    ),
    ...json === undefined ? [] : ['-H "$JSON"', `-d ${quoted(json)}`],
    /[^\w/.~-]/.test(address) ? `"$API"${quoted(address)}` : `$API${address}`
  ].join(' ')
}

function quoted (text) {
  return /^[\w@=.,/:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

function isEmpty (value) {
  return value === undefined || value === null || value === ''
}
