import type { PromptText } from '../text/prompt-text.ts'

const ofAnything =
  / (?:sorry|actually|correction|scratch that|scrap that|strike that|forget that|make that|make it|meant|i mean|no wait|hang on|hold on|oops|, er ,|, erm ,|no ,|no -|or rather) /
/** Lengths are said again in other words as well. */
const ofLengths = / (?:rather|wait|better|instead) /
/** Words between what is taken back and what stands for it. */
const maxWords = 14

/** Whether words between two names say that the second stands for the first: `visits - sorry, I meant signups`. */
export function isCorrected (text: PromptText, from: number, to: number): boolean {
  return to - from <= maxWords && ofAnything.test(text.keys(from, to))
}

/** The same of two lengths: `4 weeks, better 6`. */
export function isLengthCorrected (text: PromptText, from: number, to: number): boolean {
  return isCorrected(text, from, to) || (to - from <= maxWords && ofLengths.test(text.keys(from, to)))
}
