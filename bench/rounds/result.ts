// The result of a bench, as it is stored in bench/results.
import * as v from 'valibot'
import { type Spread, spreadOf } from './statistics.ts'

const series = v.union([
  v.pipe(v.array(v.number()), v.minLength(1)),
  v.object({ min: v.optional(v.number()), median: v.number(), max: v.optional(v.number()) }),
])

/** The values of one figure by round, or what is known of them. */
export type Series = v.InferOutput<typeof series>

const method = v.object({
  name: v.string(),
  /** Of the figure that the result compares, by the baseline's value of the same round. */
  ratio: v.optional(series),
  /** By name with unit, such as `MB/s`. A figure of a round of its own has one value. */
  figures: v.record(v.string(), series),
})

/** What one method of a bench had. */
export type MethodResult = v.InferOutput<typeof method>

const moment = v.object({
  /** Elapsed time of the fixed loop, ms: more than `processor` where other work had the core. */
  loop: v.number(),
  /** Processor time of the fixed loop, ms: what a core does, whatever else runs. */
  processor: v.number(),
  /** Mean number of processes that ran or waited in the last minute. */
  load: v.number(),
})

/** How fast and how busy the machine was at a moment. */
export type Machine = v.InferOutput<typeof moment>

const result = v.object({
  /** ISO day. */
  date: v.pipe(v.string(), v.isoDate()),
  /** Short hash, `+` behind it when other files than results had changes; empty when it is not known. */
  commit: v.string(),
  /** What was measured: size of a file, speed of a line. */
  setting: v.string(),
  rounds: v.number(),
  /** Which figure is compared, and the name of the method that is the baseline. */
  compared: v.optional(v.object({ figure: v.string(), baseline: v.string() })),
  /** Before and after the rounds; not known of results from before the loop was measured. */
  machine: v.optional(v.object({ cores: v.number(), before: moment, after: moment })),
  /** Conditions to know when the figures are read. */
  note: v.optional(v.string()),
  methods: v.array(method),
})

export type Result = v.InferOutput<typeof result>

/** The file of one bench: its results, the newest last. */
export const resultFile = v.array(result)

/** Number of results that are kept of each setting. */
export const KEPT = 10

/** The results with another one, of which each setting keeps the first and the newest. */
export function withResult(all: readonly Result[], added: Result): Result[] {
  const same = all.filter((it) => it.setting === added.setting)
  const dropped = same.length < KEPT ? undefined : same[1]
  return [...all.filter((it) => it !== dropped), added]
}

/** @returns what is known of the values */
export const spreadOfSeries = (it: Series): Spread => (Array.isArray(it) ? spreadOf(it) : it)
