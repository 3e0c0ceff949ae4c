// What is said of a film that this device cannot read, without mediabunny.
import type { FilmFacts } from './film-facts.ts'

/** The server judges it. */
export const unknownFilm: FilmFacts = { problem: null, cut: null, isCropped: false }
