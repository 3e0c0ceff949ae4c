// Sequence numbers, by which the server ignores mutations that arrive late.
import * as v from 'valibot'
import { id } from '#contract/ids.ts'

/** The header it travels in: `<source>.<number>`. */
export const SEQUENCE_NUMBER_HEADER = 'act-number'

export const sequenceNumber = v.object({
  /** What counts: one device's queue. Numbers of different ones are not compared. */
  source: id,
  /** Greater than that of every mutation this source had before. */
  number: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
})
export type SequenceNumber = v.InferOutput<typeof sequenceNumber>

/** The header's value. */
export const writeSequenceNumber = ({ source, number }: SequenceNumber): string => `${source}.${number}`

/** @returns undefined for what is no number of a mutation */
export function readSequenceNumber(text: string): SequenceNumber | undefined {
  const [, source, digits] = /^([0-9a-fA-F-]{36})\.(\d{1,16})$/.exec(text) ?? []
  const parsed = v.safeParse(sequenceNumber, { source, number: Number(digits) })
  return parsed.success ? parsed.output : undefined
}
