"""The answer in a sentence, and what another use would change."""
