// One form rule with good and bad values of it.
import * as v from 'valibot'
import type { FieldCode } from '#contract/errors.ts'

export interface RuleCases {
  readonly rule: string
  /** Tells apart the parts of a rule that depends on what stands beside it. */
  readonly of?: string
  /** A form of the field `value` under the rule, and of what stands in `beside`. */
  readonly schema: v.GenericSchema<Record<string, string>, Record<string, unknown>>
  readonly beside?: Readonly<Record<string, string>>
  /** What is typed, and what is kept of it where that differs. */
  readonly good: readonly (readonly [typed: string, kept?: string | number])[]
  /** What is typed, and what is said of it. */
  readonly bad: readonly (readonly [typed: string, code: FieldCode, bound?: number])[]
}

/** What no field can hold and a body can: sent to a server, and refused by every rule. */
export const aliens: readonly (readonly [sent: unknown, code: FieldCode])[] = [
  [undefined, 'required'],
  [null, 'required'],
  [0, 'malformed'],
  [5.5, 'malformed'],
  [true, 'malformed'],
  [false, 'malformed'],
  [[], 'malformed'],
  [['花子'], 'malformed'],
  [{}, 'malformed'],
  [{ value: '花子' }, 'malformed'],
]

/** How a rule is called where each part of it stands alone. */
export const labelOf = ({ rule, of }: Pick<RuleCases, 'rule' | 'of'>) =>
  of === undefined ? rule : `${rule} (${of})`

export const one = (value: v.GenericSchema<string, unknown>) => v.object({ value })
