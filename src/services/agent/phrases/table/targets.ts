/** Phrases for the target and the purpose, and words that are about something else. */
export const targets = String.raw`
@called column|variable|is|are|\=|\:|should|be|to|will|the|called|named
@stop for|by|over|until|till|through|using|with|where|when|in|per|at|on|from|as|between|if|because|since|next|coming|
  following|without|excluding|except|only|and|then|to|than|but|or|,|.|\:|;|\(|\)
@want need|want|get|what|where|know|see|forecaster|model|modelling|modeling|anticipate|expect|expecting | give|show|
  tell me | how many|much | how hot|warm|cold|cool|high|low|big|large|strong|expensive | happen|happens|happening
  with|to | going on with | what|how about | a look at
@link for|of|on|is|will|out|about|are|to|me|us|a|forecast|prediction|know|see|get|predict|have|be
@measured volume+|numbers|figures|count+|level+|total+|value
target 1: the? (target | dependent variable | variable|column to forecast|predict | forecast column) @called*4
  <targets> ; <targets> "|'? as the|a|our? (target column|variable? | dependent variable)
target 0.95: @forecasting|@want @link*4 \:? %stop*7 <targets> ; <targets> @measured? forecast|forecasting|prediction|
  projection|outlook|estimate+
unknown_target 1: the? (target | dependent variable | variable|column to forecast|predict | forecast column) @called*4
  <unknown>
unknown_target 0.95: @forecasting|@want @link*4 \:? %stop*7 <unknown>
@rejected (not | dont need|want | dont care about | rather than | instead of | nor | as opposed to | never | isnt)
  the|our|for|of|forecast|predict|about|\)|\:|any|<n>*2
@addressed dear|hi|hello|hey|our|your|my
@places @forecasting of|me|us|out? | forecaster | (target | dependent variable) column|variable|is|\=|\:*3
@questions how much|many | what will|would|is|are (happen to | become of)?
@ahead_of @horizonlead? the|die|den|das? (@next | rest|remainder|remaining | <n> @unit|@point | fy %mark)
@horizonlead for|over|in|within|during|until|till|through|,|\:|-
@behindtarget @horizonlead? the? (next|coming|following|upcoming|remaining | rest|remainder of) | @horizonlead? the?
  <n> @next? @unit|@point | until|till|through | forecast|forecasting|prediction|projection|outlook | by|per %mark
  %mark? for|over|until|till|next|,
@subordinate when|where|whenever|while|if|unless|whether|which|because|since|although|though|incl|including|with|
  without|using|given|considering|despite|depending|depends|affect|affecting|affects|driven|excluding|except | have|
  has|having !>(got? to | an? quick|good|close? look|go|forecast|view|idea|guess|number|figure|feel|sense|think|
  chance)
@statement @data? (is|are !>(what | the one+ | all we|i) | was|were|matter|matters|drive|drives|affect|affects|
  influence|influences|depend|depends | will be | has|have been | being|get|gets)
@takeback sorry|actually|correction|meant|oops | scratch|scrap|strike|forget that | make that|it | i mean | no wait |
  hang|hold on | , er|erm , | no ,|- | or rather
@takebacklength rather|wait|better|instead
@noncombining i|we|you|they|he|she|it|that|this|which|does|do|doesnt|would|could|not|no|never|than|above|below|exceed|
  exceeds|versus|vs|against|moving|rolling|running|weighted|exponential|smoothed|historical|industry|fill|filled|
  replace|replaced|missing|clip|remove|ignore|ignoring|cap|capped|within|avoid|without|except|shave|reduce | instead
  of | rather than | long term | compared to|with
@otherthan absolute|squared|square|percentage|scaled|error|season|seasons|seasonal|times|time|period|accuracy|
  performance|quality|confidence|goal|picture|view|trend|effort|budget|that|with|viable|order|notice|<n> | hour of |
  value? of <n> | number of step|period|day|week|month | for what | to say | by <n> | temperature is
@timeunit second|minute|quarterhour|halfhour|hour|day|businessday|week|month|quarter|year
@timebehind @adjective | per|each|every|by|to|into|within|over|for|in|of each|every|the|a|single|calendar*2 @timeunit
@asked @forecasting|need|want|know|expect|target | show|give me | what is|will be? | how high is | target is
@askedfor @asked for|of|the|our|a|an|me|my|their|be|all|is|\=*3 @adjective?
@handling aggregate+|aggregation|resample+|combine|combining|group|grouped|roll|rolled|take|taking|use|using|rows
  %mark*4 by|with|using|as|to|their|its|the|take|use|a|is|\=|\:
@weare we|i|they|you|management|planners|people | our|the team|business
objective=behind 1: so|such that @weare (can|could|will|may|know | are able to | would be able to) ; so @weare can|
  could|will|may ; in order to ; our|the|my business? goal|aim|purpose|objective|intention|idea is|here|of|this*3 to?
  ; because @weare (need|have|want|plan to | must|are|will) ; help|helps us|me? ; to help us|me? ; (needed|used|
  required | this is | need this|it | it is) for ; for the purpose of
objective=with 0.5: to plan|decide|reduce|avoid|staff|schedule|budget|prepare|allocate|manage|size|improve|restock|
  order|optimise|optimize|set|negotiate|hedge|buy|procure|support|cut|balance|prevent|guide ; for %clause*1 planning|
  budgeting|staffing|scheduling|procurement|purchasing|rostering|replenishment|hedging|trading|purposes ; we|i are|am
  planning|restocking|preparing|budgeting|deciding|negotiating|hiring
@passive will|would|shall|are|is|do|does|did|can|we|they|be|get|gets|going|likely|expected|to|probably|actually|you
@leadin a|an|the|my|our|your|their|its|total|overall|future|expected|average|daily|weekly|monthly|quarterly|yearly|
  hourly|annual|all|"|'|column|please|pls|plz|just|only|and|also|i|we|need|want|get|show|give|me|us
@follower for|fur|fuer|pour|para|by|per|over|until|till|through|thru|up|next|coming|following|upcoming|in|within|at|
  each|every|split|broken|grouped|and|forecast|forecasting|prediction|outlook|projection|,|\:|-|\(|"|'|/|.|daily|
  weekly|monthly|quarterly|yearly|hourly|only
@nounend for|fur|fuer|pour|para|by|over|until|till|through|using|with|where|when|in|per|at|on|from|as|between|if|
  because|since|next|coming|following|without|excluding|except|only|and|then|to|than|but|or|of|will|would|be|do|does|
  is|are|can|should|shall|we|i|you|look|,|.|\:|;|\(|\)
@combiningend for|by|over|across|until|till|through|using|with|where|when|in|at|on|from|as|between|if|because|since|
  next|coming|following|without|excluding|except|only|then|to|than|but|or|and|driven|based|given|is|are|was|will|.|,|
  \:|;|\(|\)
@ofwhat of|the|our|my|their|all|a|an|per|each|every|both|number|numbers|amount|value|values|figures|level|levels|net|
  gross|half
`
