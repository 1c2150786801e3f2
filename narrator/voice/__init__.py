"""A sentence -> a clip: first from the voice's prerendered pack, then from the cache, then from an engine.

    voice = Voice(Pack.load("xiaoyi"), Cache(), Espeak())
    clip = voice.clip(sentence)         # None if nothing can say it; voice.source tells who made it

Called from one thread only. `narrator.voice.studio` renders packs; it is imported where it is used, because it needs the
packages of the extra `studio`.
"""

from narrator.voice.cache import Cache
from narrator.voice.engine import Engine, EngineError, Espeak, Neural
from narrator.voice.pack import About, Pack, Recipe
from narrator.voice.voice import Source, Voice

__all__ = ["About", "Cache", "Engine", "EngineError", "Espeak", "Neural", "Pack", "Recipe", "Source", "Voice"]
