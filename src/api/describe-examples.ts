import examples from './examples.json' with { type: 'json' }

interface MediaType {
  schema?: object
  example?: unknown
}
interface Operation {
  requestBody?: { content: Record<string, MediaType> }
  responses: Record<string, { content?: Record<string, MediaType> }>
}

interface Description {
  components?: { schemas?: Record<string, { examples?: unknown[] }> }
  paths?: Record<string, Record<string, Operation>>
}

const requests: Readonly<Record<string, unknown>> = examples.requests
const answers: Readonly<Record<string, unknown>> = examples.answers

/**
 * Adds examples.json: a request to the operation, an answer to its schema where that has a name, else to the operation.
 * They were recorded (test/api-examples), so a request works and an answer is one that a service gave.
 */
export function describeExamples<T extends object> (document: T): T {
  const { components: { schemas = {} } = {}, paths = {} } = document as Description
  for (const [name, schema] of Object.entries(schemas)) {
    if (name in answers) schema.examples = [answers[name]]
  }
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, { requestBody, responses }] of Object.entries(methods)) {
      const name = `${method.toUpperCase()} ${path}`
      if (name in requests) setExample(requestBody?.content, requests[name])
      if (name in answers) setExample(successOf(responses)?.content, answers[name])
    }
  }
  return document
}

function setExample (content: Record<string, MediaType> | undefined, example: unknown): void {
  const [media] = Object.values(content ?? {})
  if (media !== undefined) media.example = example
}

function successOf (responses: Operation['responses']): Operation['responses'][string] | undefined {
  return Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1]
}
