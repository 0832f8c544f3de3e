"""Words that everybody uses: data of our own. A misspelling is far more likely one of these than a rare word."""

from __future__ import annotations

from collections.abc import Iterator

_WORDS = """
a i an at we us am is are was were has had did does done made went said got saw came took knew thought told gave
felt left kept brought began wrote ran stood heard meant met paid sat spoke lost sent built understood fell grew
held spent won taught caught bought chose broke drove ate drank sang swam wore threw flew drew rose shook woke hid
sold slept fought led gone taken given written known shown seen spoken broken chosen men feet teeth mice ours theirs
hers able about above absence absolute abstract abuse academic accept access accident accompany accomplish according
account accurate accuse achieve acknowledge acquire across act action active activity actor actual adapt add
addition address adequate adjust administration admire admit adopt adult advance advantage adventure advertise
advice advise affair affect afford afraid after afternoon afterwards again against age agency agenda agent ago agree
agreement ahead aid aim air airport album alcohol alive all allow almost alone along already also alter alternative
although always amazing ambition among amount analyse analyze analysis ancient and anger angle angry animal announce
annoy annual another answer anxiety anxious any anybody anyone anything anyway anywhere apart apartment apologize
apology apparent appeal appear appearance apple application apply appoint appointment appreciate approach
appropriate approval approve approximately area argue argument arise arm army around arrange arrangement arrest
arrival arrive art article artist artistic ashamed aside ask asleep aspect assess assessment assign assist
assistance assistant associate association assume assumption assure atmosphere attach attack attempt attend
attention attitude attract attractive audience aunt author authority automatic autumn available average avoid awake
award aware away awful baby back background bad bag balance ball band bank bar bare barely base basic basis basket
bath bathroom battery battle beach bean bear beat beautiful beauty because become bed bedroom been beer before begin
beginning behave behaviour behavior behind being belief believe bell belong below belt bench bend beneath benefit
beside besides best bet better between beyond bicycle big bill bird birth birthday bit bite bitter black blame blank
blanket blind block blood blow blue board boat body bomb bone book border bored boring born borrow boss both bother
bottle bottom bowl box boy brain branch brand brave bread break breakfast breath breathe brick bridge brief bright
brilliant bring broad brother brown brush budget build building burden burn bus business busy but butter button buy
by cable cake calculate calendar call calm camera camp campaign can cancel cancer candidate candle capable capacity
capital captain capture car carbon card care career careful careless carry case cash cat catch category cause
ceiling celebrate celebration cell centre center central century ceremony certain chain chair chairman challenge
chamber chance change channel chapter character charge charity chart charm cheap check cheek cheese chemical chest
chicken chief child childhood children chocolate choice choose church cigarette circle circumstance citizen city
civil claim class classic classroom clean clear clearly clerk clever client climate climb clock close cloth clothes
cloud club coach coal coast coat code coffee cold collapse colleague collect collection college colour color column
combination combine come comfort comfortable command comment commercial commission commit commitment committee
common communicate communication community company compare comparison compete competition competitive complain
complaint complete complex complicated component computer concentrate concept concern concerned concert conclude
conclusion condition conduct conference confidence confident confirm conflict confuse confusion connect connection
conscious consequence consider considerable consist consistent constant construct construction consult consume
consumer contact contain contemporary content contest context continue contract contrast contribute contribution
control convenient conversation convert convince cook cool copy core corner correct cost could council count counter
country countryside couple courage course court cousin cover cow crash crazy create creation creative creature
credit crew crime criminal crisis critical criticism criticize crop cross crowd crowded crucial cruel cry culture
cultural cup cupboard curious current currently curtain curve custom customer cut cycle daily damage damp dance
danger dangerous dare dark darkness data database date daughter dawn day dead deadline deaf deal dear death debate
debt decade decide decision declare decline decrease deep defeat defence defense defend define definitely definition
degree delay deliberate deliberately delicate delicious deliver delivery demand democracy demonstrate deny
department depend dependent deposit depth describe description desert deserve design desire desk desperate despite
destination destroy destruction detail detect determine develop development device devote dialogue die diet differ
difference different difficult difficulty dig digital dinner direct direction director dirty disagree disappear
disappoint disappointed disaster discipline discount discover discovery discuss discussion disease dish dismiss
display distance distant distinct distinguish distribute distribution district disturb divide division doctor
document dog dollar domestic dominate door double doubt down dozen draft drag drama dramatic draw drawer dream dress
drink drive driver drop drug dry due during dust duty each eager ear early earn earth ease easily east easy eat
economic economy edge edit edition editor educate education effect effective efficient effort egg eight either elder
elect election electric electricity electronic element eliminate else elsewhere embarrass embarrassed emerge
emergency emotion emotional emphasis emphasize empire employ employee employer employment empty enable encounter
encourage end enemy energy engage engine engineer enjoy enormous enough ensure enter entertain entertainment
enthusiasm entire entirely entrance entry environment environmental equal equally equipment error escape especially
essay essential establish estate estimate even evening event eventually ever every everybody everyone everything
everywhere evidence evident evil exact exactly examination examine example exceed excellent except exception
exchange excited excitement exciting exclude excuse execute exercise exhaust exhibition exist existence existing
exit expand expect expectation expense expensive experience experiment expert explain explanation explore explosion
export expose express expression extend extension extensive extent external extra extraordinary extreme extremely
eye face facility fact factor factory fail failure fair fairly faith fall false fame familiar family famous fan far
farm farmer fashion fast fate father fault favour favor favourite favorite fear feature fee feed feel feeling fellow
female fence festival fetch few field fifteen fifth fifty fight figure file fill film final finally finance
financial find fine finger finish fire firm first fish fit five fix flag flame flat flavour flavor flexible flight
float flood floor flour flow flower fly focus fold folk follow following fond food fool foot football for forbid
force forecast foreign forest forever forget forgive form formal former formula fortunate fortunately fortune forty
forward found foundation four frame framework free freedom freeze frequency frequent frequently fresh friend
friendly friendship frighten from front fruit frustrate fuel full fully fun function fund fundamental funeral funny
furniture further future gain gallery game gap garage garden gate gather general generally generate generation
generous gentle gentleman gently genuine get giant gift girl give glad glance glass global go goal god gold golden
good goods government grade gradually graduate grain grammar grand grandfather grandmother grant grass grateful
grave great green greet grey ground group grow growth guarantee guard guess guest guide guilty gun guy habit hair
half hall hand handle hang happen happily happiness happy hard hardly harm hat hate have head headache headline
health healthy hear heart heat heaven heavily heavy height hello help helpful hence her here hero herself hesitate
hide high highlight highly hill him himself hire his historian historic historical history hit hold hole holiday
home honest honestly honour honor hope hopefully horrible horror horse hospital host hot hotel hour house household
housing how however huge human humour humor hundred hungry hunt hurry hurt husband ice idea ideal identify identity
if ignore ill illegal illness illustrate image imagination imagine immediate immediately impact implement imply
import importance important impose impossible impress impression impressive improve improvement incident include
including income increase increasingly incredible indeed independence independent index indicate individual
industrial industry inevitable inevitably influence inform information ingredient initial initially initiative
injure injury inner innocent inquiry insect inside insist inspect inspiration inspire install instance instead
institution instruction instrument insurance intellectual intelligence intelligent intend intense intention interest
interested interesting internal international internet interpret interpretation interrupt interval interview into
introduce introduction invent invention invest investigate investigation investment invitation invite involve iron
island issue it item its itself jacket job join joint joke journal journalist journey joy judge judgement judgment
juice jump junior jury just justice justify keen keep key kick kid kill kind king kingdom kiss kitchen knee knife
knock know knowledge label laboratory labour labor lack ladder lady lake lamp land landscape language large largely
last late later latter laugh laughter launch law lawyer lay layer lazy lead leader leadership leaf league lean learn
least leather leave lecture leg legal leisure lend length lesson let letter level library licence license lid lie
life lift light like likely limit limited line link lip liquid list listen literally literary literature little live
lively load loan local locate location lock lonely long look loose lord lose loss lot loud love lovely lover low
lower luck lucky luggage lunch machine mad magazine magic mail main mainly maintain maintenance major majority make
male man manage management manager manner manufacturer many map march margin mark market marketing marriage marry
mass massive master match material mathematics matter maximum may maybe meal mean meaning means meanwhile measure
measurement meat mechanism media medical medicine medium meet meeting member memory mental mention menu mere merely
mess message metal method middle midnight might mild mile military milk mill million mind mine minimum minister
minor minority minute mirror miss mission mistake mix mixture mobile mode model moderate modern modest moment money
monitor month mood moon moral more moreover morning most mother motion motivate motivation motor mountain mouse
mouth move movement movie much multiple murder muscle museum music musical musician must mutual mystery mysterious
myself naked name narrow nation national native natural naturally nature near nearby nearly neat necessarily
necessary neck need negative neglect negotiate neighbour neighbor neighbourhood neighborhood neither nerve nervous
network never nevertheless new news newspaper next nice night nine nobody nod noise noisy none nor normal normally
north northern nose not note nothing notice noticeable notion novel now nowhere nuclear number numerous nurse object
objective obligation observation observe obtain obvious obviously occasion occasional occasionally occupy occur
ocean odd of off offer office officer official often oil old omit on once one onion online only onto open opening
openly opera operate operation operator opinion opponent opportunity oppose opposite opposition optimistic option
orange order ordinary organise organize organisation organization origin original originally other otherwise ought
our ourselves out outcome outline output outside outstanding over overall overcome overnight owe own owner pace pack
package page pain painful paint painter painting pair palace pale pan panel panic paper paragraph parent park
parking parliament part participant participate particular particularly partly partner partnership party pass
passage passenger passion past path patience patient pattern pause pay payment peace peaceful peak pen pencil people
pepper per perceive percentage perception perfect perfectly perform performance perhaps period permanent permission
permit person personal personality personally perspective persuade phase phenomenon philosophy phone photo
photograph phrase physical piano pick picture piece pile pilot pink pipe pitch place plain plan plane planet plant
plastic plate platform play player pleasant please pleased pleasure plenty plus pocket poem poet poetry point poison
police policy polite political politician politics pollution pool poor popular population port position positive
possess possession possibility possible possibly post pot potato potential potentially pound pour poverty power
powerful practical practically practice practise praise pray prayer precede precise precisely predict prefer
preference pregnant preparation prepare presence present presentation preserve president press pressure presumably
pretend pretty prevent previous previously price pride priest primarily primary prime prince princess principal
principle print prior priority prison prisoner private privilege prize probably problem procedure proceed process
produce producer product production profession professional professor profile profit program programme progress
project prominent promise promote promotion proof proper properly property proportion proposal propose prospect
protect protection protest proud prove provide province provision psychological psychology public publication
publicly publish publisher pull punish punishment pupil purchase pure purple purpose pursue push put qualify quality
quantity quarter queen question questionnaire queue quick quickly quiet quietly quit quite quote race radio rail
rain raise random range rank rapid rapidly rare rarely rate rather raw reach react reaction read reader readily
reading ready real realise realize realistic reality really rear reason reasonable reasonably recall receipt receive
recent recently recipe recognise recognize recognition recommend recommendation record recover recovery red reduce
reduction refer reference reflect reflection reform refuse regard regarding regardless region regional register
regret regular regularly regulation reject relate relation relationship relative relatively relax release relevant
reliable relief relieve religion religious reluctant rely remain remark remarkable remember remind remote remove
rent repair repeat repeatedly replace reply report reporter represent representative reputation request require
requirement rescue research researcher reserve resident resist resistance resolution resolve resource respect
respond response responsibility responsible rest restaurant restore restrict restriction result retain retire
retirement return reveal revenue review revolution reward rhythm rice rich ride right ring rise risk river road rock
role roll romantic roof room root rope rough roughly round route routine row royal rub rubbish rude ruin rule run
rural rush sad safe safety sail salary sale salt same sample sand sandwich satisfaction satisfy sauce save say scale
scared scatter scene schedule scheme scholar school science scientific scientist scissors scope score scream screen
script sea seal search season seat second secondary secret secretary section sector secure security see seed seek
seem seize select selection self sell send senior sense sensible sensitive sentence separate separately sequence
series serious seriously servant serve service session set settle settlement seven several severe severely sex shade
shadow shake shall shallow shame shape share sharp she shed sheep sheet shelf shelter shift shine ship shirt shock
shoe shoot shop shopping shore short shortly shot should shoulder shout show shower shut shy sick side sight sign
signal significance significant significantly silence silent silly silver similar similarly simple simply since
sincere sincerely sing single sink sir sister sit site situation six size skill skin skirt sky sleep slice slide
slight slightly slip slope slow slowly small smart smell smile smoke smooth snow so social society sock soft
software soil soldier sole solid solution solve some somebody somehow someone something sometimes somewhat somewhere
son song soon sophisticated sorry sort soul sound soup source south southern space spare speak speaker special
specialist species specific specifically speech speed spell spelling spend spirit spiritual spite split spoil sport
spot spread spring square stable staff stage stair stake stand standard star stare start starve state statement
station statistics status stay steady steal steam steel steep step stick still stock stomach stone stop store storm
story straight strain strange stranger strategic strategy stream street strength stress stretch strict strike string
strip strong strongly structure struggle student studio study stuff stupid style subject submit subsequent
subsequently substance substantial succeed success successful successfully such sudden suddenly suffer sufficient
sufficiently sugar suggest suggestion suit suitable sum summary summer sun supply support suppose sure surely
surface surgery surprise surprised surprising surprisingly surround surroundings survey survival survive suspect
suspicion suspicious sustain swear sweet swim swing switch symbol sympathy system table tail take tale talent talk
tall tank tape target task taste tax tea teach teacher team tear technical technique technology telephone television
tell temperature temporary ten tend tendency tension term terrible terribly test text than thank that the theatre
theater their them theme themselves then theory there therefore these they thick thin thing think third thirty this
thorough thoroughly those though thousand thread threat threaten three throat through throughout throw thumb thus
ticket tie tight till time tiny tip tired title to tobacco today together tomorrow tone tongue tonight too tool
tooth top topic total totally touch tough tour tourist toward towards towel tower town toy trace track trade
tradition traditional traffic train training transfer transform translate translation transport trap travel
traveller treat treatment tree tremendous trend trial trick trip troop trouble truck true truly trust truth try tube
tune turn twelve twenty twice twin twist two type typical typically ugly ultimate ultimately umbrella unable
uncertain uncle under undergo understand understanding undertake unemployment unexpected unfortunate unfortunately
uniform union unique unit unite universal universe university unknown unless unlike unlikely until unusual up upon
upper upset upstairs urban urge urgent use used useful useless user usual usually utter vacation valley valuable
value van variable variation variety various vary vast vegetable vehicle version very vessel via victim victory
video view village violence violent virtually virtue visible vision visit visitor visual vital vocabulary voice
volume volunteer vote wage wait wake walk wall wander want war warm warmth warn warning wash waste watch water wave
way weak weakness wealth weapon wear weather web website wedding week weekend weekly weigh weight weird welcome well
west western wet what whatever wheel when whenever where whereas wherever whether which while whisper white who
whole whom whose why wide widely widespread wife wild will willing win wind window wine wing winner winter wire
wisdom wise wish with withdraw within without witness woman women wonder wonderful wood wooden word work worker
workshop world worried worry worse worst worth worthwhile would wound wrap write writer writing wrong yard yeah year
yellow yes yesterday yet yield you young your yours yourself youth zero zone warehouse inhabitant update download
upload password
"""

COMMON: frozenset[str] = frozenset(_WORDS.split())

_ENDINGS = (
    ("", "s es ed d ing er r ers rs est ly ness ful less ment ments y"),
    ("e", "ing ed er able ation y"),
    ("y", "ies ied ier iest ily iness"),
    ("le", "ly"),
    ("te", "tion tions ting"),
)
"""What a word may lose at its end -> the endings that it may get then."""


def _forms(word: str) -> Iterator[str]:
    for lost, endings in _ENDINGS:
        if word.endswith(lost):
            stem = word.removesuffix(lost)
            yield from (stem + ending for ending in endings.split())
    if len(word) > 2 and word[-1] not in "aeiouwxy" and word[-2] in "aeiou":
        yield from (word + word[-1] + ending for ending in ("ing", "ed", "er"))


_FORMS: frozenset[str] = frozenset(form for word in COMMON for form in _forms(word))
"""Some of these are no words: who wants a word asks a dictionary as well."""


def is_common(word: str) -> bool:
    """Is it one of the common words, or made of one with an everyday ending? Expects small letters."""
    return word in COMMON or word in _FORMS
