// Planted names and comments with retired words, and valid ones.
import type { PlantedText } from './row.ts'

export const words: readonly PlantedText[] = [
  ['house(retired-words)', 'server/store/letters.ts', 'export const a = 1', true],
  ['house(retired-words)', 'server/store/word-a.ts', 'export function findTold() {}', true],
  ['house(retired-words)', 'server/store/word-b.ts', 'export interface LetterRow { a: 1 }', true],
  ['house(retired-words)', 'server/store/word-c.ts', 'export const NOT_APART = 1, b = 2', true],
  ['house(retired-words)', 'server/store/word-d.ts', 'export type Happening = 1', true],
  ['house(retired-words)', 'server/http/word-e.ts', 'export class Patience { a = 1 }', true],
  ['house(retired-words)', 'server/store/word-f.ts', 'const told = 1\nexport const emails = told', false],
  ['house(retired-words)', 'server/modules/demo/letters.ts', 'export const letters = 1', false],
  ['house(retired-words)', 'device/mutations/act-row.ts', 'export const a = 1', true],
  ['house(retired-words)', 'sw/word-h.ts', 'export const takeActs = 1', true],
  ['house(retired-words)', 'device/word-i.ts', 'export function believe() {}', true],
  ['house(retired-words)', 'src/lib/word-j.ts', 'export function held() {}', true],
  ['house(retired-words)', 'device/word-k.ts', 'export const readAnswers = 1', true],
  ['house(retired-words)', 'src/domain/text/word-l.ts', 'export const queueDoor = 1', true],
  ['house(retired-words)', 'src/domain/text/word-m.ts', 'export const active = 1, react = 2', false],
  ['house(retired-words)', 'src/lib/word-g.ts', 'export const apartment = 1', false],
  ['house(retired-words)', 'src/lib/word-n.ts', '/** Nobody reads it. */\nexport const a = 1', true],
  ['house(retired-words)', 'server/store/word-o.ts', 'export const a = 1 // for whoever asks', true],
  ['house(retired-words)', 'bench/word-p.ts', 'export const somebody = 1 // a person', false],
  ['house(retired-words)', 'src/features/publish/word-q.ts', 'export const EarlyRow = 1', true],
  ['house(retired-words)', 'sw/settle.ts', 'export const a = 1', true],
  ['house(retired-words)', 'sw/sim/word-r.ts', 'export function createWishes() {}', true],
  ['house(retired-words)', 'server/adapters/realtime/word-s.ts', 'export interface BusEars { a: 1 }', true],
  ['house(retired-words)', 'e2e/word-t.ts', 'export class KeptPhones { a = 1 }', true],
]
