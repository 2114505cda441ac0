import type { PromptText } from '../text/prompt-text.ts'

const before =
  / (?:excluding|exclude|excludes|excl|ex|except|except for|without|other than|apart from|besides|not|ignore|ignoring|leave out|skip|skipping|omit|omitting|minus|drop|dropping|but|no|!=|remove|removing|w \/ o|wo) (?:(?:the|our|all|both|any|those|for|stores?|shops?|items?|series|sites?|ids?|number|"|'|\() ){0,4}$/
const after =
  /^ (?:(?:is|are|was|were|should be|must be|to be|be) )?(?:excluded|left out|omitted|ignored|skipped|dropped|removed|not needed|not wanted|not included|closed) /

/** Whether the words around some tokens leave them out, and where they end with those words. */
export function leftOut (text: PromptText, from: number, to: number): [isOut: boolean, to: number] {
  const behind = after.exec(text.keys(to, to + 5))
  return behind === null
    ? [before.test(text.keys(from - 6, from)), to]
    : [true, to + behind[0].trim().split(' ').length]
}
