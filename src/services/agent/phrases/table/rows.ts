/** Phrases that choose rows and covariates. */
export const rows = String.raw`
@fillrows the|our|my|all|both|either|any|those|for|in|from|of|on|"|'|\(|value|row|rows|data|day|days|week|weeks|month|
  period|record+|reading|observation|entry|entries|point|customer+|series|store+|shop+|item+|site+|id+|number|when|
  where|with|that|which|have|are|is|was|were
@without excluding|exclude|excludes|excl|ex|without|wo|neither|nor|except|besides|not|isnt|ignore+|bar|barring|save|
  minus|lose|cut|ditch|disregard+|discard+|excepting|skip+|omit+|drop+|but|no|!=|\<\>|remove+ | except|save for |
  other|apart|aside than|from | not in | skipping over | excl|exclusive of | leave|leaving out | w / o | dont include|
  use|forecast | not including|counting
@leftout @without @fillrows*6
@isleftout "|'|\)|and|stores|store|shops|region|series*2 (is|are|was|were|being|be | should|must|can|may|could|shall
  be | has|have|needs|need to be | to be)? (excluded|out|aside|omitted|ignored|skipped|dropped|removed|closed | left|
  taken|kept|stripped out|off | to one side | not|isnt needed|wanted|included|required|relevant | out of scope)
@thenleaveit %mark*6 so|and|,|- please|just? (leave|take|keep|cut|strip it|them|those|these|that one? out|off|aside |
  exclude|skip|omit|ignore|drop it|them|those|that one?)
@pickedout only|just|solely|exclusively|for|in|at|from|of|where|within|on|consider|is|are|\=|\=\=|equals|to|with|
  about|namely|like | limited|restricted to | filter to|by|on | focus|focusing on | equal to
@picked @pickedout only|just|the|our|my|all|both|either|"|'|\(*3
@onlybehind "|'|\)|please|pls|data|row|rows|series*2 only|exclusively|alone
@containing contains|containing|contain|like|includes|matching | starts|starting with the|word|text|"|'*3
@tells is|was|has|have|are|were|had|got|get|gets been? also|still|just|now|soon? !>(needed|wanted|required|
  interesting|missing) <doing>
@equals is|are|in|\=|\=\=|\:|equals|to|equal|not|isnt|!=|\<\>|"|'|the|\(|of|contains|like|containing
@stays "|'|is|are|was|were|stays|value|of
@nolength !>(@unit|@point|@month|th|st|nd|rd|of)
comparison=between 1: where|when|with|if|while|only? <measure> @stays? between|ranges|from|in the|range|from*2
  <signed> and|to|- <signed> @nolength
comparison=gte 1: where|when|with|if|while|only? <measure> @stays? (\>\= | at least | no|not less|fewer than | greater
  than or equal to | minimum of) <signed> \%? @nolength ; where|when|with|if|while|only? <measure> is|are|was|\=|of?
  <signed> \%? or|and more|above|over|higher|greater|up|upward+|larger|bigger
comparison=lte 1: where|when|with|if|while|only? <measure> @stays? (\<\= | at most | no|not more than | less than or
  equal to | maximum of | up to) <signed> \%? @nolength ; where|when|with|if|while|only? <measure> is|are|was|\=|of?
  <signed> \%? or|and less|below|under|fewer|lower|smaller
comparison=gt 1: where|when|with|if|while|only? <measure> @stays? (\>|above|over|exceeds|exceeding | greater|more|
  larger|higher|bigger than) <signed> \%? @nolength
comparison=lt 1: where|when|with|if|while|only? <measure> @stays? (\<|below|under | less|smaller|lower|fewer than)
  <signed> \%? @nolength
comparison=ne 1: where|when|with|if|while|only? <measure> @stays? (!=|\<\>|not|isnt | not equal to) <signed> \%?
  @nolength
comparison=eq 1: where|when|with|if|while|only? <measure> @stays? (\=|\=\=|equals|equaling|is|are|was | equal to)
  <signed> \%? @nolength
marked 0.65: only|just|except|without|excluding|exclude|ignore|skip|drop|omit|leave out? the|all|any|those|these|day|
  week|month|hour|period|row|times|dates|businessday|that|which*4 when|where|whenever|while|with|have|has|had|are|is
  %mark*4 <mark> ; when|whenever|while|where %mark*4 <mark> ; on|for|in the? day|week|month|hour|period when|where|
  with|that have|has|are? %mark*4 <mark>
@use using|use|with|considering|consider|taking|take|drivers|including|include|incl|incorporating|incorporate|given|
  covariates|covariate|regressors|regressor|predictors|predictor|exogenous|features|factoring|factors|leveraging|
  leverage|add|adding|respecting|mind|namely | driven by | taking|take into account | accounting|account for|of |
  based|conditioned|depending on | driven|influenced|affected|impacted|explained|informed by | drivers are | depend|
  depends|hinge|hinges %mark*2 on | varies|vary|moves|move|goes|correlates|correlate|correlated with | sensitive|
  linked|tied to | follows | reacts|react|responds|respond %clause*1 to | factor|factoring in | together with | such
  as | i|we|you|already|do|also|and know|knowing | the? main|key? factors|drivers is|are | factor|factors|driver|
  drivers \:
@useof the|\:|as|effect|effects|impact|influence|into|account|consideration|that|are|of|in
@avoid ignore+|without|exclude+|disregard+|skip+|omit+|no|drop|neglect|not|nor | dont|not|shouldnt|never use|using|
  consider|considering|include|including|take|taking | dont want|rely on? | leave|leaving out? | but not
@account in|into advance|account
@inadvance known|planned|available|scheduled|fixed|decided|rostered|published|set (in advance | ahead of? time? |
  beforehand | up front | for the future|horizon | for the? next %clause*3)
@driver feature+|driver+|covariate+|predictor+|regressor+|input+|explanatory|factor+|influence+|important|relevant
@among is|are|as|can|may|should|be|used|fine|ok|okay|good|available|to|use|a|an|the|our|my|one|of|useful|additional|
  known|planned|given|extra|external|exogenous|main|key|major|big|strong|also|both|all
@data flag|column|columns|indicator|dummy|variable|series|data|value|figures|numbers|calendar|plan|level+|changes
@rather also|really|clearly|strongly|heavily|often|usually|typically|always|already|both|all|each|probably|certainly|
  obviously|definitely|largely|mostly|partly|directly|still|do|can|could|will|would|may|might|should|must|we|i|think|
  believe|to|only|well|fully|the|of|them
@scheduled planned|rostered|scheduled|fixed|decided|agreed|booked|contracted|published|budgeted|preset|predetermined|
  determined | pre set | laid down | locked in | signed off | in|on the calendar | on file
@ahead already|upfront|too | in advance | ahead of? time? | beforehand | up front | well before | going forward | as
  well | for the future|horizon|whole|forecast|next|coming %mark*2 | %mark*1 day|week|month|quarter|year ahead|in|
  before|out advance?
@moves drive+|drove|affect+|influence+|impact+|explain+|determine+|shape+|steer+|matter+|correlate+ | move+ it|them|
  our|the|with | help+ us|to*2 explain|predict|forecast|too|here? | play+|have|has|had a|an|some|big|large|strong|
  much|clear|huge*3 effect|influence|impact|bearing|role|say|part | is|are a|an? important|relevant|useful|helpful|
  main|key|big|major|strong|good|factor+|influence+|reason+|cause+ driver+|factor+|influence+|predictor+?
@nodriver not|dont|doesnt|never|no|hardly|barely|cant|cannot|neither|without|isnt|didn't|didnt|wont|arent|aren't|if|
  whether|how|what|does|do|did %clause?
@hindsight afterwards|historically | in hindsight | after the fact | for|in|of|up the|to*2 past|history|today|now
covariates=use 0.9: !<(dont|not|never|without|no|cant|shouldnt|nor|ignore %clause?) !<(happen|happens|on|up|wrong)
  @use @useof*3 <drivers> !>(up|together)
covariates=avoid 1: @avoid using|considering|including|consider|use|include|the|any|effect|effects|impact|influence|
  of|account|into|taking*4 <drivers> ; <drivers> @data? %clause*1 (not|isnt|dont|never|shouldnt|cant) @among*5 @driver
covariates=use 1: <named> @data? !<(@nodriver) @among*6 (@driver | into account) !>(@denied)
covariates=known 1: <named> @data? @among*6 @inadvance|@scheduled @ahead*2 ; <named> @data? is|are|were|gets|get|
  being|be|as @rather*3 (@scheduled @ahead*2 | known|available|set|given|there|forecast|clear|certain @ahead|known) ;
  <named> is|are known !>(%mark) ; <named> is|are known =>(for|and|\)) ; (known in advance|ahead|beforehand|future |
  known future feature+|covariate+|input+? | future known | planned ahead? | available in advance) \: <lines> ; has|
  have|had already|now|also|just|all*2 planned|scheduled|fixed|decided|agreed|booked|set|published the|our|all|on|
  when|its|their*2 <drivers>
covariates=use 0.9: <named> @data? !<(@nodriver) @rather*4 @moves
covariates=past 1: <named> @data? %mark*1 exist+|is|are|end+ known|available|there|recorded|given|measured? for|in|
  with the? past|history data|alone? only ; <named> @data? %mark*1 only|just|merely @hindsight ; <named> @data? is|
  are|were|can|will|come+|arrive+|get|gets? be? only|solely|just ever? be? known|available|recorded|measured|observed|
  reported|there|given|for|in|historical (@hindsight | the|up|to|until|after|once|when*2) ; <named> @data? is|are
  known|available|recorded|measured|observed|reported (only %clause*1 @hindsight | @hindsight) ; <named> @data? (is|
  are|will|can not|never be? | wont|isnt|arent|aren't|cant be? | is|are unknown) known|available|planned? (in advance
  | ahead | beforehand | up front | for the future) ; known? for? past|history|historical feature+|covariate+|input+|
  only*2 \: <lines>
covariates=past_subject 0.9: =<(%mark) is|are|comes|arrives %clause*3 only %clause*1 known|available|published|
  recorded for|in|of the past|history ; is|are only known|available|recorded for|in the past|history ; only (for|in
  the past | historically)
covariates=past_it 0.9: we|i only|just ever? have|know|get|see|hold|record|measure its|their|the|for|it|them|of|in|up|
  to*3 (past|historical|history|actuals | @hindsight) value|data|numbers|figures|reading? ; its|their|the future
  value? is|are (not | unknown | unavailable) ; treat|take|use|count|mark|consider|regard|handle|keep it|them|both|
  these|those|all as an|a? historical|historic|history|past only? feature+|covariate+|input+|data|columns?
covariates=known_it 0.9: its|their|the|whose future|coming|upcoming|next value|numbers|figures|levels? is|are|get|will
  be? all|both|already|always? known|planned|available|set|given|fixed|published|there ; we|i already|also|do|always?
  know|have|hold|get its|their|it|them|both|the|these|those|all*3 (future value|plan+? | plan+|schedule|roster |
  @ahead) ; it|they|both|these|those|which|that is|are @rather*2 (@scheduled @ahead? | known @ahead) ; treat|take|use|
  count|mark|consider|regard|handle|keep it|them|both|these|those|all as a? known|planned|future known? @ahead?
  feature+|covariate+|input+?
covariates=use_it 0.9: !<(@nodriver) so|please|do? (use|include|consider|add|take|respect | factor|feed in | account
  for) (it|them|both|these|those | all|both of them | the two) too|both|please|in? (as well | into account | as
  @driver)? ; it|they|both|these|those|which|that|this both|also|clearly|really|all? (help+ to? explain|predict|
  forecast | drive+|affect+|influence+|matter+)
covariates=all 0.9: use|using|with|include|including|considering|consider all|every|any of|the|other|available|
  remaining|possible|my|our|useful|external*4 column+|covariate+|feature+|driver+|variable+|regressor+|predictor+
covariates=none 0.9: (no | without any? | ignore all | dont use any | exclude all) other|external|additional|extra?
  covariate+|feature+|driver+|regressor+|predictor+|column+ ; univariate
@topic weather|holiday+|inflation | interest rate+ | air quality | electricity price+ | train delay+
topic=use 0.7: @use any|the|local|public|school|national|bank|effect|impact|of|for|external*3 =>(@topic) <topic> (in|
  for|of %mark)? ; public|school|bank|national =>(@topic) <topic>
topic=without 0.7: @avoid any|the|local|public|school|national|bank|effect|impact|of|for|external*3 =>(@topic) <topic>
  (in|for|of %mark)?
holidays 0.95: (using|use|with|considering|consider|including|include|incl|respect|respecting|add|and|without|ignore|
  ignoring|no|exclude|excluding|not|skip the? | account for the?)? (public|bank|national|legal|school|official|local?
  holiday+|feiertage|feiertagen calendar|effect+? in|of|for|from the? <country> | <country> public|bank|national|
  legal|school|official|local? holiday+|feiertage)
@counted second|minute|quarterhour|halfhour|hour|day|businessday|week|month|quarter|year|step|period|point|interval|
  slot|\%|forecast|prediction|ahead|-
@nameof only|just|in|for|at|region|store|shop|site|city|country|customer|product|category|except|excluding|without
  the|our|only|just?
@codeof region+|store+|shop+|site+|city|cities|country|countries|customer+|product+|category|categories|item+|sku+|
  plant+|branch+|warehouse+ but|except|no|number?
@noname jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun|easter|thanksgiving|excel|
  euro|euros|dollars|dollar|pounds|pound|english|german|french|spanish|python|tableau|slack|management|managers|
  manager|team|department|director|planning|operations|office|desk|analyst|analytics|finance|marketing
@listlead a|an|the|my|our|your|their|its|both|all|any|each|every|this|these|that|those|"|'|column|columns|feature|
  features|variable|variables|field|total|historical|past|future|known|planned|of|on|in|effect|effects|impact|
  information|data|about
@listand ,|and|or|plus|along|with|also|/|"|'|nor|then|data|column|columns|level|information|effect|effects | as well |
  =<(as) well | =<(well) as
@rowlead only|just|except|excluding|exclude|excl|without|remove|removing|drop|dropping|omit|omitting|skip|skipping|
  leave|between | leaving out
@rowsentence only|except|excluding|without
@rowcondition \=|\<|\>|\=\=|!=|\>\=|\<\=|is|are|equal|equals|contain|contains|isnt
@ofmodel log|scale|model|models|transform|transformation|normalisation|normalization|trend|season|seasonal|
  seasonality|noise|decimal|decimals|rounding|explanation|explanations|report|plot|plots|chart|charts|weather|holiday|
  holidays|promotion|promotions|covariate|covariates|feature|features|driver|drivers|interval|intervals|band|bands|
  uncertainty|training|backtest|backtesting|missing|blank|blanks|empty|null|nulls|gap|gaps|zero|zeros|0|outlier|
  outliers|setting|set|setup|repeat|repeats|repeating|recurring|schedule|scheduled|scheduling|fuss|ado|delay|rules|
  limit|limits|error|errors|help|further|asking
@grouplead by|per|each|every|split|grouped|broken|group|for each|every|by|down*2 %nongroup
@nongroup by|each|every|<n>|\=|,|.|-
@doneby fixed|set|planned|decided|given|defined|approved|provided|delivered|confirmed|published|released|scheduled|
  managed|owned|maintained|run|made|chosen|entered|driven|caused|written|signed|led|used|read|reviewed|checked|
  prepared|paid|sent|asked|requested|hit|affected ahead|beforehand|off|mostly|mainly|only|always|in|advance|up|front*2
@ofdelivery email|mail|post|hand|default|api|csv|ftp|sftp|excel|pdf|morning|evening|noon|end|close|then|now|using|
  mean|means|hook|webhook|slack|teams
`
