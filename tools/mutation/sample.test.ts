// Samples of mutants: their choice, what is counted, and the interval of the score.
import { expect, test } from 'vitest'
import { choosePlaces, interval, judgedPlaces, type Place, resultOf } from './sample.ts'

const mutantAt = (line: number, replacement = 'true', status = 'Killed') => ({
  status,
  mutatorName: 'ConditionalExpression',
  replacement,
  location: { start: { line, column: 3 }, end: { line, column: 9 } },
})
const twoAt = (line: number) => [mutantAt(line, 'true'), mutantAt(line, 'false')]
const lines = (count: number) => Array.from({ length: count }, (_, it) => it + 1)
const discovered = {
  'a.ts': { mutants: lines(50).flatMap(twoAt) },
  'b.ts': { mutants: lines(50).flatMap(twoAt) },
}
const namesOf = (places: readonly Place[]) => places.map((it) => `${it.file}:${it.at}`)

test('a sample has as many mutants as wanted, all those of each piece of code', () => {
  const places = choosePlaces(discovered, 39, 'one')
  expect(places).toHaveLength(20)
  expect(new Set(namesOf(places)).size).toBe(20)
  expect(places.every((it) => it.mutants === 2)).toBe(true)
  expect(places[0]?.at).toMatch(/^\d+:2-\d+:8$/)
})

test('an area with fewer mutants is judged whole', () => {
  expect(choosePlaces(discovered, 1000, 'one')).toHaveLength(100)
})

test('the same seed chooses the same code, another seed other code', () => {
  const names = namesOf(choosePlaces(discovered, 40, 'one'))
  expect(namesOf(choosePlaces(discovered, 40, 'one'))).toEqual(names)
  expect(namesOf(choosePlaces(discovered, 40, 'two'))).not.toEqual(names)
})

test('a larger sample contains a smaller one, also after a change of another file', () => {
  const small = namesOf(choosePlaces({ 'a.ts': discovered['a.ts'] }, 20, 'one'))
  const inA = namesOf(choosePlaces(discovered, 150, 'one')).filter((it) => it.startsWith('a.ts'))
  expect(inA.slice(0, small.length)).toEqual(small)
})

test('each file is chosen about as often as it has code', () => {
  const seeds = lines(200).map(String)
  const first = seeds.map((seed) => choosePlaces(discovered, 1, seed)[0]?.file)
  const inA = first.filter((it) => it === 'a.ts').length
  expect(inA).toBeGreaterThan(70)
  expect(inA).toBeLessThan(130)
})

test('only results of chosen code are counted, and no static ones or errors', () => {
  const statuses = [
    'Killed',
    'Timeout',
    'Survived',
    'Survived',
    'NoCoverage',
    'Ignored',
    'RuntimeError',
    'Survived',
  ]
  const source = statuses.map((_, it) => `line ${it + 1}`).join('\n')
  const mutants = statuses.map((status, it) => mutantAt(it + 1, 'true', status))
  const places = lines(7).map((it) => ({ file: 'a.ts', at: `${it}:2-${it}:8`, mutants: 1 }))
  const explanations = { 'a.ts': [{ line: 'line 4', why: 'both are the same' }] }
  const report = { files: { 'a.ts': { source, mutants }, 'b.ts': { source, mutants } } }
  expect(resultOf(report, places, explanations)).toEqual({
    killed: 2,
    survived: 1,
    untested: 1,
    explained: 1,
  })
})

test('what a report has judged is known by its place, without what it has ignored', () => {
  const mutants = [...twoAt(1), mutantAt(2, 'true', 'Ignored')]
  const report = { files: { 'a.ts': { source: '', mutants } } }
  expect(judgedPlaces(report)).toEqual([{ file: 'a.ts', at: '1:2-1:8', mutants: 2 }])
  expect(judgedPlaces(undefined)).toEqual([])
})

test('the interval is that of Wilson', () => {
  const rounded = (killed: number, of: number) => interval(killed, of).map((it) => Number(it.toFixed(4)))
  // Known values: Wilson, 95 %, 8 of 10 and 0 of 20.
  expect(rounded(8, 10)).toEqual([0.4902, 0.9433])
  expect(rounded(0, 20)).toEqual([0, 0.1611])
  expect(rounded(20, 20)).toEqual([0.8389, 1])
  expect(rounded(0, 0)).toEqual([0, 1])
})
