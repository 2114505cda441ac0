interface Operation {
  requestBody?: { required?: boolean,
    content: Record<string, { schema?: { type?: string, required?: unknown[], minProperties?: number } }> }
}

/**
 * Marks JSON bodies without required fields as optional in the description, because the generator calls every body
 * required.
 */
export function describeBodies<T extends object> (document: T): T {
  const { paths = {} } = document as { paths?: Record<string, Record<string, Operation>> }
  for (const { requestBody } of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    const schema = requestBody?.content['application/json']?.schema
    if (requestBody !== undefined && schema !== undefined && mayBeLeftOut(schema)) requestBody.required = false
  }
  return document
}

/** Whether every field of the object has a default or is optional. */
export function mayBeLeftOut (
  { type, required = [], minProperties = 0 }: { type?: string, required?: unknown[], minProperties?: number }
): boolean {
  return type === 'object' && required.length === 0 && minProperties === 0
}
