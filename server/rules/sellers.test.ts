// Tables of who sees a seller's page and who answers a request.
import { describe, expect, test } from 'vitest'
import { answeringOf, maySeeSeller, type PageFacts, relationOf, type RequestFacts } from './sellers.ts'

test.each([
  [true, true, 'buyer'],
  [true, false, 'buyer'],
  [false, true, 'former'],
  [false, false, 'none'],
] as const)('who buys: %s, has paid: %s is %s', (buys, paid, relation) => {
  expect(relationOf({ buys, paid })).toBe(relation)
})

describe('the page', () => {
  const visitor: PageFacts = {
    isOwn: false,
    relation: 'none',
    blocked: false,
    isPresent: true,
    sells: true,
  }
  test.each<[string, Partial<PageFacts>, boolean]>([
    ['of a creator who sells', {}, true],
    ['of a creator who sells nothing', { sells: false }, false],
    ['of a suspended or leaving creator', { isPresent: false }, false],
    ['of a creator in a block with the viewer', { blocked: true }, false],
    ['of the viewer, who sells nothing yet', { isOwn: true, sells: false }, true],
    ['for a buyer of a creator who sells nothing more', { relation: 'buyer', sells: false }, true],
    ['for a buyer of a suspended creator', { relation: 'buyer', isPresent: false }, true],
    ['for a buyer in a block with the creator', { relation: 'buyer', blocked: true }, true],
    ['for a refunded buyer in a block with the creator', { relation: 'former', blocked: true }, true],
  ])('%s', (_, change, expected) => {
    expect(maySeeSeller({ ...visitor, ...change })).toBe(expected)
  })
})

describe('a request', () => {
  const buyer: RequestFacts = { relation: 'buyer', blocked: false, identified: false, hasData: true }
  test.each<[string, Partial<RequestFacts>, 'at_once' | 'by_operator']>([
    ['of a buyer', {}, 'at_once'],
    ['of a person with an approved identity check', { relation: 'none', identified: true }, 'at_once'],
    ['of a person who has bought nothing', { relation: 'none' }, 'by_operator'],
    ['of a refunded buyer', { relation: 'former' }, 'by_operator'],
    ['of a refunded buyer with an approved check', { relation: 'former', identified: true }, 'by_operator'],
    ['of a buyer in a block with the creator', { blocked: true }, 'by_operator'],
    ['of an identified buyer in a block', { blocked: true, identified: true }, 'by_operator'],
    ['to a creator without stored data', { hasData: false }, 'by_operator'],
  ])('%s is answered %s', (_, change, expected) => {
    expect(answeringOf({ ...buyer, ...change })).toBe(expected)
  })
})
