// Chooses samples of the mutants of an area, and measures how sure their score is.
import { createHash } from 'node:crypto'
import type { Discovered } from './discover.ts'
import { type Explanations, explainedBy } from './explained.ts'
import { positionOf, type Report } from './report.ts'

/** A piece of code, and the number of its mutants: StrykerJS selects code, so that its mutants are judged together. */
export interface Place {
  readonly file: string
  /** In the form of StrykerJS: `line:column-line:column`, columns from 0. */
  readonly at: string
  readonly mutants: number
}

export interface SampleResult {
  readonly killed: number
  readonly survived: number
  readonly untested: number
  readonly explained: number
}

/**
 * Chooses places at random until they have enough mutants. A place comes in the same order for the same seed whatever
 * else the files contain, so that a larger sample contains a smaller one of the same seed.
 * @param count number of mutants, which the last place may exceed; all places when the area has fewer
 */
export function choosePlaces(discovered: Discovered, count: number, seed: string): Place[] {
  const rankOf = (it: Place) => createHash('sha256').update(`${seed} ${it.file} ${it.at}`).digest('hex')
  const ranked = placesOf(discovered).map((place) => ({ place, rank: rankOf(place) }))
  const chosen: Place[] = []
  let mutants = 0
  for (const { place } of ranked.toSorted((x, y) => (x.rank < y.rank ? -1 : 1))) {
    if (mutants >= count) break
    chosen.push(place)
    mutants += place.mutants
  }
  return chosen
}

function placesOf(discovered: Discovered): Place[] {
  return Object.entries(discovered).flatMap(([file, { mutants }]) => {
    const counts = Map.groupBy(mutants, positionOf)
    return [...counts].map(([at, of]) => ({ file, at, mutants: of.length }))
  })
}

/** Counts the results of the mutants at the places; static mutants and those that StrykerJS could not run are left out. */
export function resultOf(report: Report, places: readonly Place[], explanations: Explanations): SampleResult {
  const keys = new Set(places.map((it) => `${it.file}:${it.at}`))
  const result = { killed: 0, survived: 0, untested: 0, explained: 0 }
  for (const [file, { source, mutants }] of Object.entries(report.files))
    for (const it of mutants) {
      if (!keys.has(`${file}:${positionOf(it)}`)) continue
      if (it.status === 'Killed' || it.status === 'Timeout') result.killed += 1
      else if (explainedBy(explanations, file, source, it) !== undefined) result.explained += 1
      else if (it.status === 'Survived') result.survived += 1
      else if (it.status === 'NoCoverage') result.untested += 1
    }
  return result
}

/** Places whose mutants a report has judged: a run that ignored them would drop their results. */
export function judgedPlaces(report: Report | undefined): Place[] {
  return Object.entries(report?.files ?? {}).flatMap(([file, { mutants }]) =>
    placesOf({ [file]: { mutants: mutants.filter((it) => it.status !== 'Ignored') } }),
  )
}

/** 95 % of a normal distribution lie within so many standard deviations. */
const DEVIATIONS = 1.959964

/**
 * The Wilson interval: the shares, from 0 to 1, of which the observed one is within a 95 % confidence interval.
 * @param of number of independent observations; without any, every share is possible
 */
export function interval(killed: number, of: number): readonly [low: number, high: number] {
  if (of === 0) return [0, 1]
  const share = killed / of
  const squared = DEVIATIONS ** 2
  const middle = share + squared / (2 * of)
  const half = DEVIATIONS * Math.sqrt((share * (1 - share)) / of + squared / (4 * of ** 2))
  const shareAt = (it: number) => Math.min(1, Math.max(0, it / (1 + squared / of)))
  return [shareAt(middle - half), shareAt(middle + half)]
}
