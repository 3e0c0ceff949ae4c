// One form rule with good and bad values of it.
import * as v from 'valibot'
import type { FieldCode } from '#contract/errors.ts'

export interface RuleCases {
  readonly rule: string
  /** Distinguishes the parts of a rule that depends on its sibling fields. */
  readonly of?: string
  /** A form with the field `value` under the rule, and the fields of `beside`. */
  readonly schema: v.GenericSchema<Record<string, string>, Record<string, unknown>>
  readonly beside?: Readonly<Record<string, string>>
  /** The typed value, and the parsed one where it differs. */
  readonly good: readonly (readonly [typed: string, parsed?: string | number])[]
  /** The typed value, and the result. */
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

/** Name of a rule whose parts are listed separately. */
export const labelOf = ({ rule, of }: Pick<RuleCases, 'rule' | 'of'>) =>
  of === undefined ? rule : `${rule} (${of})`

export const one = (value: v.GenericSchema<string, unknown>) => v.object({ value })
