// The number of an act: by it the server knows a request that the network brings late, and does nothing for it.
import * as v from 'valibot'
import { id } from '#contract/ids.ts'

/** The header it travels in: `<source>.<number>`. */
export const ACT_NUMBER = 'act-number'

export const actNumber = v.object({
  /** What counts: one device's queue. Numbers of different ones are not compared. */
  source: id,
  /** Greater than that of every act this source had before. */
  number: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
})
export type ActNumber = v.InferOutput<typeof actNumber>

/** The header's value. */
export const writeActNumber = ({ source, number }: ActNumber): string => `${source}.${number}`

/** @returns undefined for what is no number of an act */
export function readActNumber(text: string): ActNumber | undefined {
  const [, source, digits] = /^([0-9a-fA-F-]{36})\.(\d{1,16})$/.exec(text) ?? []
  const parsed = v.safeParse(actNumber, { source, number: Number(digits) })
  return parsed.success ? parsed.output : undefined
}
