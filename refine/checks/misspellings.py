"""Common misspellings and what they stand for: data of our own. No wrong form is a word of any English dialect."""

from __future__ import annotations

from collections.abc import Mapping

_WORDS = """
absence: abscence absense abcense
acceptable: acceptible exceptable
accidentally: accidently accidentaly acidentally
accommodate: accomodate acommodate accomadate
accommodation: accomodation acommodation accomadation
accompanied: acompanied accompanyed
accomplish: acomplish accomplis
according: acording accoring
account: acount accout
accumulate: accumalate acumulate accummulate
accurate: acurate accurrate
achieve: acheive achive acheve
achieved: acheived achived
achievement: acheivement achievment acheivment
acknowledge: aknowledge acknowlege acknoledge
acquaintance: aquaintance acquaintence aquaintence
acquire: aquire accquire
acquired: aquired
across: accross acros accros
actually: actualy acually actully acctually
addition: additon addtion adition
additional: additonal addtional aditional
address: adress addres addresss
addresses: adresses
adequate: adaquate adequit
advantage: advantadge advatage advantege
advertisement: advertisment advertisemnt
advise: advize
again: agian agin agaain
against: aginst againts agains
aggressive: agressive aggresive agresive
agreement: agreemeent agreemnt aggreement
allowed: alowed
almost: allmost almsot
already: allready alreday alredy
also: aslo allso
although: altough allthough althogh altho
altogether: alltogether altogheter
always: allways alwasy alwyas
amateur: amature amatuer
among: amoung
amount: ammount amout
analysis: analisis anaylsis
announce: anounce annouce
announcement: anouncement annoucement announcment
annual: anual annualy
annually: anually
another: anohter anothe anather
answer: anwser awnser anser
anxious: anxius
anything: anyting anythig
apologize: apoligize appologize
apology: appology
apparent: apparant aparent apparrent
apparently: apparantly aparently apparenty
appear: apear appeer
appearance: appearence apearance appearrance
appetite: apetite
application: aplication applicaiton appliction
applied: aplied
appointment: apointment appointmnet
appreciate: apreciate appriciate appreceate
approach: aproach approch
appropriate: apropriate appropiate approriate
approval: aproval approvel
approximately: aproximately approximatly approximatley
architecture: architechture archetecture
argument: arguement arguemnt
around: arround aroud
arrangement: arrangment arangement
arrive: arive
arrived: arived arrvied
article: artical
assassination: assasination
assignment: assignement asignment
assistance: assistence asistance
assistant: assistent asistant
associated: asociated assocated
athlete: athelete
atmosphere: atmosfere atmoshpere
attempt: atempt attemt
attendance: attendence
attention: attenion atention
attitude: attidude
audience: audiance
author: auther authour
available: availible avaliable availabe avalable avaiable availble
average: avarage averge
awful: awfull aweful
awkward: akward awkard
balance: ballance balence
bargain: bargin
basically: basicly basicaly
beautiful: beatiful beautifull beutiful beautful
beautifully: beautifuly
because: becuase becasue beacuse becouse becaus becuse becase becuz
become: becomme
becoming: becomming
before: befor befoer
beginning: begining beggining beginnig
being: beeing
belief: beleif beleaf
believe: beleive belive
believed: beleived belived
beneficial: benificial benefical
benefit: benifit benefitt
benefits: benifits
between: betwen beetween bewteen
biscuit: biscut
bottom: botom
boundary: boundry
breakfast: brekfast breakfst
brilliant: briliant brillant
building: bulding buidling
burglar: burgler
business: buisness bussiness busines bisness
businesses: buisnesses
calendar: calander calendr
campaign: campain campagne
candidate: canidate
career: carreer carrer
careful: carefull
carefully: carefuly
carrying: carring
category: catagory catergory
ceiling: cieling
cemetery: cemetary
certain: certian
certainly: certainley certianly certanly
challenge: challange chalenge
challenging: challanging
changeable: changable
changing: changeing
character: charactor caracter charachter
characteristic: charateristic
chief: cheif
children: childern
chocolate: choclate
chosen: choosen
circumstances: circumstanses
citizen: citzen citisen
clothes: clotes
coincidence: coincidance
colleague: collegue colleage
colleagues: collegues colleages
college: colege
coming: comming
commercial: comercial
commission: comission commision
commitment: committment comitment
committed: commited comitted
committee: commitee comittee committe
common: comon
communicate: comunicate
communication: comunication
community: comunity
company: compnay comapny
comparison: comparision
compatible: compatable
competition: compitition
competitive: compeditive
complete: compleat complet
completely: completly completley
complicated: complecated
comprehensive: comprehensve
computer: computor
concentrate: consentrate
concern: concearn
condition: conditon
conference: confrence
confidence: confidance
connection: conection
conscience: concience
conscientious: conscientous consciencious
conscious: concious consious
consciousness: conciousness
consensus: concensus
consequence: consequense
considerable: considerble
consistent: consistant
constant: constent
construction: constuction
contemporary: contempory
continue: continute contine
continued: continueed
continuous: continous
continuously: continously
contribution: contibution
control: controll contorl
controlled: controled
controlling: controling
controversial: contraversial
convenience: convienence
convenient: convienient convient
conversation: conversasion converstion
cooperate: coperate
correct: corect
correspondence: correspondance
could: coud coudl
country: contry
course: cource
courteous: curteous
create: craete
criticism: critisism critiscism
criticize: critisize
curiosity: curiousity
current: curent
currently: currenty curently currentley
customer: custumer
daily: dayly
dangerous: dangerus dangerious
deadline: dedline
deceive: decieve
decided: desided decidied
decision: decission desicion descision
decisions: desicions
definite: definate definit
definitely: definately definatly definitly definetly definitley defenitely
definition: defination
deliver: delivar
delivery: delivary
describe: discribe
described: discribed
description: discription
desirable: desireable
despair: dispair
desperate: desparate desperat
desperately: desparately
despite: dispite
destination: destinaton
detail: detial
develop: develope developp
developed: developped
developer: developper
development: developement devlopment
dictionary: dictionery
difference: diference differance
different: diffrent diferent differant
difficult: dificult diffcult
difficulty: dificulty
dilemma: dilema dilemna
diploma: deploma
direction: direciton
disagree: dissagree
disappear: dissapear disapear
disappeared: dissapeared disapeared
disappoint: dissapoint disapoint
disappointed: dissapointed disapointed dissappointed
disappointing: dissapointing
disappointment: dissapointment disapointment
disaster: dissaster
disastrous: disasterous
discipline: disipline disciplin
discovered: discoverd
discussed: discused
discussion: discusion
disease: desease
distinguish: distingish
document: docuement
documentation: documention documenation
easily: easilly easely
ecstasy: ecstacy
efficiency: effeciency
efficient: effecient efficent
eighth: eigth
either: eithr
electricity: electricty
eligible: elegible
eliminate: elimiate
embarrass: embarass embaras
embarrassed: embarassed embarased
embarrassing: embarassing embarrasing embarasing
embarrassment: embarassment
emergency: emergancy
emphasis: emphisis
encourage: encurage
enough: enought enogh enuf
entirely: entirly
entrance: enterance
environment: enviroment envirnment enviornment
environmental: enviromental
equipment: equiptment equipement equipments
equipped: equiped
especially: especialy espically expecially
essential: esential essencial
establish: establis
every: evry
everybody: evrybody
everyone: everone evryone
everything: everyting evrything
evidence: evidance
exactly: exactley exacly
exaggerate: exagerate exaggarate
exaggerated: exagerated
examination: examanation
example: exmaple exampel
exceed: excede
excellence: excellance
excellent: excelent excellant
except: excpet
exceptional: exceptionel
exchange: exchage
excited: exicted
excitement: excitment
exercise: excercise exersise excersize
exhausted: exausted exhasted
exhibition: exibition
existence: existance existense
existing: exisiting
expect: exepct
expected: expeted
expense: expence
expensive: expencive
experience: experiance expirience experence
experienced: experianced
experiment: expirement experment
explain: explane
explanation: explaination explantion
express: expres
extraordinary: extrordinary
extremely: extremly extremley
facilities: facilites
facility: facillity
familiar: familar familier
families: familys
family: familly
famous: famouse
fascinate: facinate
fascinating: facinating fasinating
favorite: favorit favrite
February: febuary februrary
field: feild
fiery: firey
finally: finaly finnally
financial: finacial finantial
finished: finnished finshed
first: frist firts
following: folowing
foreign: foriegn forein
foreseeable: forseeable
formerly: formaly
fortunately: fortunatly fortunatley
forty: fourty
forward: foward forwrad
friend: freind frend
friendly: freindly
friends: freinds
from: fomr
fulfil: fullfil
fulfill: fullfill
function: fucntion funtion
further: futher
furthermore: furthermor futhermore
future: futur
gauge: guage
general: genral
generally: generaly genrally
genius: genious
getting: geting
government: goverment govermnent govenment
gradually: gradualy
grammar: grammer grammmar
grateful: greatful gratefull
grievous: grievious
group: gruop
guarantee: garantee guarentee gaurantee
guaranteed: garanteed guarenteed
guard: gaurd
guess: gess
guidance: guidence
guide: giude
handkerchief: hankerchief
happen: hapen
happened: happend hapened
happening: hapening
happiness: happyness
harass: harrass
harassment: harrassment
have: ahve haev
having: haveing
height: heigth hieght
heroes: heros
hesitate: hesistate
hierarchy: heirarchy
history: histroy
hopeful: hopefull
hopefully: hopefuly
hoping: hopeing
horrible: horible
hospital: hopsital
however: howver howevr
humorous: humourous
hundred: hunderd
hygiene: hygeine
hypocrisy: hypocracy
identical: indentical
identify: identifiy
ignorance: ignorence
imaginary: imaginery
imagine: imagin
immediate: imediate immediat
immediately: immediatly imediately immediatley imediatly
importance: importence
important: importent importnat imporant
impossible: imposible
improvement: improvment
improvements: improvments
increase: increse
incredible: incredable
incredibly: incredably
indeed: inded
independence: independance
independent: independant indipendent
independently: independantly
indispensable: indispensible
individual: indivdual
influence: influance
information: infomation informtion informations
informed: infromed
initial: inital
initially: initialy initally
innocent: inocent
inoculate: innoculate
inside: insdie
installation: instalation
installed: instaled
instance: instence
instead: insted
instruction: instrution
instructions: instuctions
intelligence: inteligence
intelligent: inteligent intelligant
interested: intrested interrested
interesting: intresting interessting
interfere: interfear
international: internationl
interpret: interpet
interrupt: interupt
interrupted: interupted
introduce: intoduce
introduction: introducton
invitation: invatation
irrelevant: irrelevent
irresistible: irresistable
island: iland
jealous: jelous
journey: journy
kitchen: kichen
knew: knwe
know: konw
knowledge: knowlege knowledg knowladge knowledges
knowledgeable: knowledgable
label: lable
laboratory: labratory
language: langauge languge langage
laugh: laguh
laughter: laugther
leisure: liesure
length: lenght legnth
library: libary liberry
lieutenant: leiutenant
likely: likley
listening: listning
literally: literaly litterally
literature: litterature literture
little: litle littel
living: liveing
loneliness: lonliness
lonely: lonley
looking: loking
luckily: luckly
magazine: magzine
maintain: maintian maintane
maintenance: maintainance maintenence maintanence
management: managment
manoeuvre: manouvre
many: mnay
marriage: marraige
mathematics: mathmatics
maybe: mabye maybee
meanwhile: meanwile
measure: mesure
medicine: medecine
medieval: midieval
Mediterranean: mediteranean
member: memeber
message: mesage
millennium: millenium milennium
millionaire: millionare
miniature: minature
minute: minuite
minutes: minuites
miscellaneous: miscelaneous
mischievous: mischievious mischevious
misspell: mispell
misspelled: mispelled
mistake: misstake
moment: momment
morning: mornig
mortgage: morgage
mountain: mountian
mysterious: misterious
narrative: narative
natural: naturel
naturally: naturaly
necessarily: necessarly necesarily
necessary: neccessary necesary neccesary necassary nessecary
necessity: neccessity
negotiate: negociate
neighbor: nieghbor
neighbour: nieghbour
neighbours: nieghbours
neither: niether
nervous: nervious
never: nevr
nevertheless: neverthless nevertheles
niece: neice
nineteen: ninteen
ninety: ninty
ninth: nineth
nothing: nothign
notice: notise
noticeable: noticable
noticed: notced
nowadays: nowdays nowaday
nuclear: nuculer
number: nubmer
numerous: numerus
obedience: obediance
obstacle: obsticle
obvious: obvius
obviously: obviosly obviuosly
occasion: occassion ocassion ocasion
occasional: occassional ocasional
occasionally: occasionaly occassionally ocasionally
occasions: occassions
occur: occurr ocur
occurred: occured ocurred ocured
occurrence: occurance occurence occurrance
occurrences: occurences occurances
occurring: occuring
offered: offerred
official: offical
officially: offically
often: ofen offen
omission: ommision
omitted: ommitted omited
only: olny
operate: opperate
opinion: opinon
opponent: oponent
opportunities: oppurtunities oportunities
opportunity: oportunity oppurtunity opertunity opportunty
opposite: oposite
optimistic: optomistic
orchestra: orchestera
ordinary: ordinery
organisation: orginisation organistion
organization: orginization organizaton
original: orginal origional
originally: orginally origionally
other: ohter
otherwise: otherwize
outside: outisde
paid: payed
pamphlet: pamflet
parallel: paralel parrallel paralell
parliament: parliment
particular: particuler
particularly: particularily particulary
passenger: passanger
passengers: passangers
pastime: pasttime
patience: patiance
pavilion: pavillion
peaceful: peacefull
peculiar: peculier
people: poeple peopel pepole
perceive: percieve
perceived: percieved
perfectly: perfectley
performance: performence preformance
perhaps: perhpas
period: peroid
permanent: permanant permenant
permission: permision
perseverance: perseverence
persistent: persistant
personally: personaly
personnel: personell
persuade: pursuade
phenomenon: phenomonen
philosophy: philosphy
physical: phisical
picture: pitcure
piece: peice
pieces: peices
plagiarism: plagarism
plausible: plausable
playwright: playwrite
pleasant: plesant pleasent
please: plese
pleasure: plesure
poisonous: poisonus
political: politcal
politician: politican
population: populaton
Portuguese: portugese
position: posistion
possess: posess
possession: posession possesion
possibilities: possiblities
possibility: possiblity possibilty
possible: posible possable
possibly: possibley posibly
potato: potatoe
potatoes: potatos
potential: potencial
practically: practicly
practice: pratice
precede: preceed
preceding: preceeding
prefer: perfer
preferable: preferrable
preferably: preferrably
preference: preferance
preferred: prefered
preparation: preperation
prepared: perpared
presence: presance presense
present: presant
president: presidant
pressure: presure
prestigious: prestigous
presumably: presumeably
previous: previus
previously: previosly
primitive: primative
principle: principel
privilege: priviledge privelege privlege
probably: probaly probly propably probabaly
problem: probelm porblem
problems: probelms
procedure: proceedure procedeure
proceed: procede
process: proces
produce: prodcue
product: prodcut
profession: proffession profesion
professional: proffesional professionel profesional proffessional
professor: proffesor professer proffessor
program: progam
progress: progres
prominent: prominant
promise: promiss
pronunciation: pronounciation
proper: propper
properly: propperly
property: propery
protein: protien
psychology: pyschology
public: publik
publicly: publically
purchase: purchace
purpose: pourpose
purposes: puposes
pursue: persue
pursuit: persuit
quality: qualtiy
quarter: quater
question: queston quesiton
questionnaire: questionaire
questions: questons
quickly: quickley quikly
quiet: queit
quite: qutie
quizzes: quizes
raspberry: rasberry
reached: reachd
readable: readible
reading: readng
realise: realse
realize: relize
realized: relized
reason: reson
reasonable: resonable
reasons: resons
rebellion: rebelion
receipt: reciept receit
receive: recieve receve
received: recieved receved
receiver: reciever
receives: recieves
receiving: recieving
recently: recentley
recognise: reconise
recognize: reconize
recommend: reccomend recomend reccommend
recommendation: reccomendation recomendation reccommendation
recommendations: reccomendations recomendations
recommended: reccomended recomended reccommended
reference: referance refrence
references: refrences
referred: refered
referring: refering
regardless: irregardless regardles
region: reigon
regular: reguler
regularly: regularily
rehearsal: rehersal
relationship: relationshp
relatively: relativly
release: realease
relevant: relevent revelant
reliable: realible relyable
relief: releif
relieve: releive
relieved: releived
religious: religous religius
remember: remeber rember
remembered: remeberd
reminiscent: reminicent
removal: removel
repetition: repitition repetion
repetitive: repetative
replacement: replacment
representative: representive
required: requried
requirement: requirment
requirements: requirments requierments
research: reserch reasearch
researchers: reserchers
resistance: resistence
resource: resourse
resources: resourses
respect: repsect
respectively: respectivly
response: responce
responsibilities: responsibilites
responsibility: responsability responsiblity
responsible: responsable responsibile
restaurant: restaraunt resturant restarant restaurent
restaurants: restaraunts resturants
result: reuslt
returned: retured
rhyme: ryme
rhythm: rythm rythem rhythmn
ridiculous: rediculous ridiculus
running: runing
sacrifice: sacrafice
sacrilegious: sacreligious
safely: safley
safety: safty saftey
said: siad
salary: sallary
sandwich: sandwhich
satellite: sattelite satelite
satisfied: satisfyed
Saturday: saterday
says: sasy
scarcely: scarcly
scared: scard
scenario: scenerio
scene: sceen
schedule: schedual scedule shedule
scheduled: scheduald
science: sience
scientific: scientfic
scissors: sissors
season: seson
secondary: secondery
secretary: secratary secretery
section: secton
security: securty secuirty
seize: sieze
sense: sence
sensible: sensable
sentence: sentance
sentences: sentances
separate: seperate seprate separete
separated: seperated
separately: seperately separatly
separation: seperation
sergeant: sargent
serious: serius
seriously: seriosly
service: serivce
several: severel sevral
severely: severly
she: hse
should: shoud shuold shoudl
shoulder: sholder
siege: seige
significant: signifigant significent
significantly: significatly significently
similar: similiar simular
similarly: similarily
simple: simpel
simply: simpley
since: sicne
sincerely: sincerly sincerley
situation: situtation sitution
skilful: skillfull
sleeping: sleping
slightly: slighty
software: sofware softwares
soldiers: soilders
some: soem
someone: somone
something: somthing somethign
sometimes: sometmes somtimes
somewhere: somewere
soon: sonn
speech: speach
sponsor: sponser
spontaneous: spontanious
standard: standart
started: startd
statement: statment
statements: statments
stationary: stationarry
stomach: stomache stomack
stopped: stoped
stopping: stoping
straight: straigt
strange: stange
strategy: stratagy
street: stret
strength: strenght strengh
stretch: strech
strictly: stricly
stubborn: stuborn
studying: studing
stupid: stuped
substantial: substancial
subtle: suttle
succeed: succede suceed
succeeded: succeded
success: sucess succes
successful: succesful successfull sucessful succesfull
successfully: succesfully sucessfully successfuly
such: usch
suddenly: suddenley sudenly
sufficient: sufficent suficient
suggest: sugest
suggested: sugested
suggestion: sugestion
summary: sumary
supersede: supercede
support: suport
supposed: suposed
supposedly: supposably supposidly
suppress: supress
sure: shure
surface: surfce
surprise: suprise surprize
surprised: suprised surprized
surprising: suprising
surprisingly: suprisingly
surround: suround
surrounded: surrouned surounded
surveillance: surveilance
survey: survery
suspicious: suspicous
switch: swich
syllable: sylable
symmetry: symetry
symptom: symtom
system: sytem systme
systems: sytems
technical: techincal
technically: technicaly
technique: techique
technology: technolgy tecnology
temperature: temperture tempature temprature
temporary: temporery temporay
tendency: tendancy
terrible: terible
than: thna
thank: thnak
that: taht thta
the: teh hte
their: thier
themselves: themselfs themselve
then: thne
theory: theroy
there: theer
therefore: therfore
these: theese thses
they: tehy thye
thing: thign
think: thnik
third: thrid
this: tihs thsi htis
thorough: thorogh
thoroughly: throughly thoroughy
thought: thougth thoguht
thousand: thousend
threatened: threatend
threshold: threshhold
throat: thraot
through: throught
throughout: throughtout
ticket: tiket
together: togeather togather togther
tomato: tomatoe
tomatoes: tomatos
tomorrow: tommorow tommorrow tomorow tomorro
tongue: tounge
tonight: tonigth
topic: topc
totally: totaly
touch: toch
towards: twards
tradition: traditon
tragedy: tradgedy
transferred: transfered
transferring: transfering
translation: transaltion
transparent: transparant
tried: tryed
trouble: truoble
truly: truely
truth: truht
Tuesday: teusday tuseday
twelfth: twelth
typical: tipical
typically: typicaly
tyranny: tyrany
ultimately: ultimatly
unbelievable: unbeleivable
understand: undestand understnad
understanding: understading
undoubtedly: undoubtably undoubtedley
unfortunate: unfortunat
unfortunately: unfortunatly unfortunatley unfortunetly unfortuantely
unique: uniqe
university: univeristy
unnecessarily: unneccessarily
unnecessary: unneccessary unecessary unnecesary
until: untill untl
unusual: unusal
upgrade: upgarde
upon: apon
used: usde
useful: usefull
using: useing
usually: usualy usally ussually
vacuum: vaccum vacum vaccuum
valuable: valueable
variety: vareity
various: varius
vegetable: vegatable vegtable
vegetables: vegatables vegtables
vehicle: vehical
very: vrey verry
vicious: viscious
village: villiage villege
visible: visable
visitor: visiter
visitors: visiters
volunteer: volenteer
wait: wiat
warranty: waranty
watch: wathc
water: watre
weather: wheather
Wednesday: wensday wendesday wednsday wedensday
week: wekk
weigh: wiegh
weight: wieght
weird: wierd
welcome: wellcome
were: wree
what: waht
where: wher
whether: wether wheter
which: wich whcih whihc
while: whiel
with: wiht wtih
without: wihtout witout
woman: womman
women: wemon
wonderful: wonderfull wonderfl
working: workign
world: wrold wolrd
would: woudl woud
write: wirte
writing: writting writeing
written: writen
wrong: wrogn
wrote: wroet
years: yaers
yesterday: yestarday yesturday
yield: yeild
you: yuo
young: yuong
your: yuor
advice: advices
furniture: furnitures
homework: homeworks
luggage: luggages
feedback: feedbacks
warehouse: wharehouse warehose
"""
"""right: wrong wrong ..."""


def read_table(table: str) -> Mapping[str, str]:
    """Lines of `right: wrong wrong ...` as wrong form -> right form."""
    lines = (line.partition(": ") for line in table.strip().splitlines())
    return {wrong: right for right, _, wrongs in lines for wrong in wrongs.split()}


MISSPELLINGS: Mapping[str, str] = read_table(_WORDS)
