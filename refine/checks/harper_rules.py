"""Which of Harper's rules are off and which only tell. All others mend. Data only.

A rule stays sure where it was silent on well-edited prose of many kinds and right on learners' texts.
"""

from __future__ import annotations

from refine.checks.tables import word_set

OFF: frozenset[str] = word_set(
    """
    SpellCheck RepeatedWords SentenceCapitalization CapitalizePersonalPronouns OrthographicConsistency Months
    UseTitleCase LongSentences OxfordComma NoOxfordComma SplitWords CompoundNouns OutOfDate YourPredicateAdjective
    RedundantThat ThatWhich DisjointPrefixes MissingPreposition MissingTo MissingDeterminer MassNouns WrongNegative
    PhrasalVerbAsCompoundNoun QuantifierNumeralConflict NumericRangeEnDash UnclosedQuotes UseEllipsisCharacter
    EllipsisLength Dashes NoFrenchSpaces Spaces CommaFixes QuoteSpacing OkToOkay Excellent Freezing UpdatePlaceNames
    Regionalisms HaveTakeALook InOnTheCards CaseSensitive Codebases Codebase RoadMap TheHowWhy PronounKnew
    DayOneNames GoogleNames AmazonNames AppleNames AzureNames MetaNames MicrosoftNames JetpackNames
    PocketCastsNames TumblrNames WordPressDotcom CompaniesProductsAndTrademarks TheProperNounPossessive Therein
    VerbToAdjective WhomSubjectOfVerb InflectedVerbAfterTo AvoidCurses AvoidContractions ArriveOnWeekday
    SendAnEmailTo Hedging FillerWords LitotesDirectPositive BoringWords CurrencyPlacement DotInitialisms
    FootInchMinuteSecondSymbols PossessiveYour PossessiveNoun LookingForwardTo NominalWants TheyToThem ToAdverb
    QuiteQuiet TransposedSpace MultipleSequentialPronouns ModalBeAdjective ItTimeAuxiliary
    HowTo HopHope FindOut Damages MergeWords Confident PassionateAbout SomewhatSomething WayTooAdjective
    LetsConfusion NerveRacking InvestIn ToDoHyphen DoubleCheckHyphen InAWhile NotTo Anywhere Itself Myself
    MoreAdjective PreferPled PreferSnuck PreferPleaded PreferSneaked AnalogAcousticBike AnotherThinkComing
    ViciousCircleOrCycle ProperNouns Countries DegreesKelvin FatalOutcome
    ExpandAlgorithm ExpandAlloc ExpandArgument ExpandConfiguration ExpandControl ExpandCoordinate ExpandDecl
    ExpandDependencies ExpandDereference ExpandDirectory ExpandFavourite ExpandForward ExpandGovt ExpandLegitimate
    ExpandMemoryShorthands ExpandMinimum ExpandNotification ExpandParameter ExpandPerformance ExpandPointer
    ExpandPreference ExpandPrevious ExpandStandardInputAndOutput ExpandTimeShorthands ExpandVulnerability ExpandWith
    ExpandWithout AsFarAsICanTell AsFarAsIKnow AsIUnderstandIt AsItHappens AsSoonAsPossible BeRightBack ByTheWay
    ExplainLikeImFive ForWhatItsWorth ForYourInformation IDontKnow IfIRecallCorrectly IfIUnderstandCorrectly
    IfYouKnowYouKnow InCaseYouMissedIt InMyHumbleOpinion InMyOpinion InRealLife LetMeKnow NeverMind OhMyGod
    OnTheOtherHand OutOfTheBox PleaseTakeALook Really TalkToYouLater ToBeHonest SingleBe
    DoubleClick RightClick CrossPlatform DefiniteArticle Cybersec ChampAtTheBit RedundantIIRC
    ThatThan ThereIsAgreement ToLoseTooLoose
    TheirToThere TheirToTheyre ItsContraction ToTo
    ACoupleMore ALittleOfPractice AOkHyphen AWaysToGo AccuseOf Addicting Ado Ajar Akimbo AllHellBreakLoose
    AllWellAndGood AlzheimersDisease Americas AmountsFor ArgumentToBeMade AsFarBackAs AsIsWithAnything
    AspireTo AtTheBestOfTimes Australia BackhandedCompliment Backplane BainBane BareBones BarelyUn BePrejudiced
    BestOfAllTime BetterOffServed BluRayHyphen Bollocks BrandBrandish ByTheBook Bypass CallThem Canada CantWay
    Catch22 Chalkboard ChangeTack ChineseCommunistParty ClaimToFame ClicheAccent CodeInWriteIn Combinate
    ComplainAsNoun CompulseToCompel CondensateVerb ConstituteAs ConvenientStore CoursingThroughVeins CraveFor CureFor
    DampSquib Deadlift Dereference Desktop Devops DigUnderTheHood DigestiveTract DissembleDisassemble
    EagleEyed EggYolk EnMasse EnvironmentVariable EveryOnceAndAgain Expat Expatriate
    FaceFirst FallBelow FarBeIt FastPaste FedUpWith FetalPosition FishNorFowl FlauntForFlout
    FleshOutVsFullFledged FoamAtTheMouth FondOn FootTheBill ForSameReason FormativeYears FullToTheBrim GildedAge
    GoToSleep GoToWar GoggleBrand Guesswork GuineaBissau Hallucination HandfulOfMore Hazzle HelloGreeting
    Henceforth HiddenIn HighLowStandards Hijack HolyWar HowDoesCompared HumanBeings HumanLife ImitateFrom
    ImplementIn InADifferentDirection InAnIdealWorld InStock InTheSameVein InTimeFromNow IncidentReport InflectionPoint
    Intact JawDropping JohnsHopkins JumpTheGun Keystroke Keystrokes Koreas Laos LastDitch LaughOfAt LayoutVerb
    LeaveToFor LeavingInDroves LessWorse LikeThePlague LikeTheresNoTomorrow LinesOfCode LinkedList
    LookDownOnesNose Lookalike MakeupCompoundNoun Malaysia ManagerialReins MassExodus MercedesBenzHyphen
    Middleware MixedBag Monumentous MoreThanMeetsTheEye Multicore Multimedia MultipleFrequencyAdverbs Multithreading
    MyHouse NakedEye NationalCapitals NeitherHereNorThere NoHarmNoFoul NobelPeacePrize NotForLackOf
    NotLongAfter NotablePlaces ObsessPreposition OceansAndSeas OffTheCuff Oftentimes OldestInTheBook OnADailyBasis
    OnFloor OnTheFence OnesOwnAccord OpenTheLight OutOfTheWindow Overclocking OvertimeCompoundNoun PaleByComparison
    PartsOfSpeech PassersBy PasswordProtectedHyphen PedalToTheMetal Piggyback PluralWrongWordOfPhrase PointsOfView
    PortAuPrince PortoNovo PostItNoteHyphen PrayingMantis Provocate RainbowColoredHyphen ReadsAndWrites
    RealTrouper RegimenRegiment ReverseEngineer RiseTheRanks RollerSkated RulesOfThumb ScantilyClad
    ShootOneselfInTheFoot ShowCase ShutdownVerb SideTangent Skyrocket SpelledNumbers Starving StateOfTheArt
    StatuteOfLimitations StrikeChord SubjectAndObjectPronoun Surreality TakeMedicine Tenfold ThatChallenged Themself
    ThieveNoun ThrowBabyWithBathwater ThrowRubbish TickingTimeClock TillDate ToTheMannerBorn ToteTout Tradeoff
    TrueToWord TruthToTheFact TryOnesLuck TurnItOff USUniversities Underclock UnderneathOf UnitedOrganizations Upset
    VerseAsVerb ViceVersa ViciousCircle ViciousCycle WasComprisedOf WaveFunction WebScraping WellBeing WellKept
    WokVerbTypo WroteToRote WroughtIron YeaToYeah YehToYeah Holidays AtFaceValue InOfItself TongueInCheek
    Misuse Misused Overload Upward Proofread Postpone SlipperySlope SneakingSuspicion StrikeOfGenius
    StrikeOfLuck SeizeControlOf SetABadExample TakePrideIn SummarySummery RogueRouge RifeWith SoonToBe SoughtAfter
    """
)
"""Style, house rules of one publisher, wrong too often, or so rare that they are not worth their time."""

TASTE: frozenset[str] = word_set(
    """
    AvoidAndAlso CondenseAllThe SubjectPronoun CompoundSubjectI Oxymorons RedundantAcronyms RedundantAdditiveAdverbs
    RedundantAlmostNearly RedundantFirsts RedundantPretty RedundantProgressiveComparative RedundantSelf
    RedundantSuperlatives VeryUnique WouldNeverHave ArriveTo AllowTo OneOfTheSingular AWhile Overall GoodAt
    InterestedIn NeedToNoun ClickThroughRate MakeSense HungerPang TakeALookTo
    Everyday GetUsedTo RapidFire OneHanded LeftRightHand FirstPersonModifierHyphen EasyGoingCompoundAdjective
    BuiltIn EverPresent InDemandInDepth HyphenateNumberDay ClientOrServerSide AdNauseam JealousOf MeansALotTo
    CriteriaPhenomena AnotherThingComing Touristic Initiatively Brutality Insensitive Insurmountable Audible
    IncludingButNotLimitedToPunctuation PlayAFactor InRetaliationTo LastNight DuringAges VeryMuchSo
    AmInTheMorning OverPlus FellowCoRedundancy WholeEntire BlacklistWhitelist TheAnother LongTimeAgo IfWouldve
    SubjunctiveWasToWere DegreesKelvinSymbol NumberSuffixCapitalization CorrectNumberSuffix VeryLess
    """
)
"""Told, with a suggestion, as a matter of taste."""
