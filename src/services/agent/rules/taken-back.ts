import type { PromptText } from '../text/prompt-text.ts'

const filler =
  '(?:the|our|a|an|any|old|using|with|on|by|of|it|to|use|metric|measure|as|for|from|having|much|in|here|now) '
const before = new RegExp(
  ' (?:not|instead of|rather than|no|than|avoid|avoiding|dont use|not by|without|stop|stopped|stopping|quit|no ' +
    'longer|anymore|dropped|drop|dropping|ditch|ditched|ditching|abandon|abandoned|gave up|give up|given ' +
    'up|scrap|scrapped|retire|retired|away from|off|never|forget|forget about|skip|dont want|dont like|dont ' +
    'trust|dont care about|dont need|hate|dislike|used to use|used to be|used to report|tired ' +
    'of|replace|replaces|replacing|replaced|switch from|switched from|switching from|moved from|moving from|change ' +
    `from|changed from|unlike|neither|nor|except|but not) (?:${filler}){0,3}$`
)
const after =
  / (?:is|was|are|were|has been|isnt|does|doesnt|makes|gets)? ?(?:(?:not|no) (?:longer|use|used|useful|good|wanted|suitable|meaningful|right|what|okay|ok|an option|allowed|helpful|work|working|sense|any more|anymore)|useless|banned|gone|out|unsuitable|misleading|dropped|scrapped|retired|work for us|make sense|makes no sense|blows up|explodes|no use) /

/** Whether a prompt takes back what some tokens say: `we've stopped using MAPE`, `MAPE is useless to us`. */
export function isTakenBack (text: PromptText, from: number, to: number): boolean {
  return before.test(text.keys(from - 6, from)) || after.exec(text.keys(to, to + 5))?.index === 0
}
