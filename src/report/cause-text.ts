import { shownText } from './shown-text.ts'

/**
 * An error as a customer may see it. Of one of the system it is its code alone: its message has paths of the service.
 */
export function causeText (cause: unknown): string {
  const { code, message } = cause as NodeJS.ErrnoException
  return shownText(code ?? message, 200)
}
