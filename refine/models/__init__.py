"""Doors to models, and the small decisions around them. Nothing here knows of rounds, verdicts or stores.

Import what is needed from the module that has it: `openai_chat` loads the `openai` package, the others load nothing.
"""
