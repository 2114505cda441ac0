import { shownText } from './shown-text.ts'

/**
 * An error as a customer may see it. A system error is reduced to its code, because its message has paths of the
 * service.
 */
export function causeText (cause: unknown): string {
  const { code, message } = cause as NodeJS.ErrnoException
  return shownText(code ?? message, 200)
}
