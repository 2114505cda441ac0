import { bodyErrors, describeStatus } from './schemas/error.ts'

interface Parameter {
  in: string
  schema?: Record<string, unknown>
}
interface Operation {
  parameters?: Parameter[]
  requestBody?: unknown
  responses: Record<string, unknown>
}

/**
 * Adds to every operation the errors that occur before its handler. They follow from its method and its inputs, so no
 * route has to list them.
 */
export function describeErrors<T extends object> (document: T): T {
  const { paths = {} } = document as { paths?: Record<string, Record<string, Operation>> }
  for (const methods of Object.values(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      for (const status of refusals(method, operation)) operation.responses[status] ??= answer(status)
    }
  }
  return document
}

function refusals (method: string, { parameters = [], requestBody }: Operation): number[] {
  // Any text is a valid path parameter, so it is looked up and never refused.
  const isChecked = parameters.some((parameter) =>
    parameter.in === 'query' ||
    Object.keys(parameter.schema ?? {}).some((keyword) => !['type', 'description'].includes(keyword))
  )
  // Every POST accepts an Idempotency-Key.
  const fields = method === 'post' || requestBody !== undefined || isChecked ? [422] : []
  return [...method === 'get' ? [] : bodyErrors, ...fields]
}

function answer (status: number): object {
  return {
    description: describeStatus(status),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } }
  }
}
