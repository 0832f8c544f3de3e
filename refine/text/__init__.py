"""Pure readings of a text: tokens, changes, sentences, sections, facts, language, words. No files, no clock."""
