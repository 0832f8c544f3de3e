"""Words that are right although the dictionary lacks them: data of our own. Trades, kitchens, computers, Britain."""

from __future__ import annotations

from refine.checks.tables import word_set

KNOWN: frozenset[str] = word_set(
    """
    actigraphy agm aioli airdrop aob autolyse bandsaw bloke blokes bokeh byelaw byelaws cafetiere chatbot
    chatbots ciabatta connexion covariate covariates coworker coworkers coworking cron dataframe dataframes
    datasheet deepfake despatch despatched despatches despatching dockerize dockerized ebook ebooks edtech facto
    fintech flatmate flatmates focaccia foie freegan gaol gaols gochujang grandad grandads gras greige grey
    halloumi haptics heteroscedasticity homeschool homeschooled immunoassay immunoassays jure kimchi kirk
    kombucha kubernetes labneh layby laybys leant lengthways levain loch lochs macbook markdown microplastics middleware
    mindfulness mixin mixins monorepo nan neurodegenerative neurodiverse ok okay onesie onesies paneer parkrun
    parkruns pescatarian pince plushie postdoc postdocs prefetch prequel propos proteomics purfling reflow
    repost reposted rewild rewilding roguelike rollout sashimi scooter semver sgraffito shakshuka sharding
    sideload skincare skyr smoothie smoothies soundpost sourdoughs spokeshave subreddit subsample subsampled
    subsampling subtask subtasks sudo tahini tempeh timelapse tokenise tokenised toolchain tooltip transcriptome
    triage triaged triaging tuk ultrawide unboxing unfollow unicode unputdownable upcycle upcycled upcycling
    upsell upskill upskilling uptime vape vaping vegan vegans videocall vlogger voicemail walkthrough waypoint
    waypoints webcam weblog wellies whitelist wishlist wishlists worktop worktops zine zines
    """
)
