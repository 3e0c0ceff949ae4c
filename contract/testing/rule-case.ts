// One form rule with good and bad values of it.
import * as v from 'valibot'
import type { FieldCode } from '#contract/errors.ts'

export interface RuleCases {
  readonly rule: string
  /** A form of the field `value` under the rule, and of what stands in `beside`. */
  readonly schema: v.GenericSchema<Record<string, string>, Record<string, unknown>>
  readonly beside?: Readonly<Record<string, string>>
  /** What is typed, and what is kept of it where that differs. */
  readonly good: readonly (readonly [typed: string, kept?: string | number])[]
  /** What is typed, and what is said of it. */
  readonly bad: readonly (readonly [typed: string, code: FieldCode, bound?: number])[]
}

export const one = (value: v.GenericSchema<string, unknown>) => v.object({ value })
