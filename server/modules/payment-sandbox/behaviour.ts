// What the sandbox provider does wrong on purpose, for tests and demonstrations.
import * as v from 'valibot'
import type { Db } from '#server/store/database.ts'
import { readSandboxBehaviour, writeSandboxBehaviour } from '#server/store/payments/sandbox.ts'

const yen = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(999_999_999))

export const behaviourSchema = v.strictObject({
  /** Seconds until a notice is sent. */
  delay: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(86_400)), 0),
  /** How often each notice is sent. */
  copies: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(50)), 1),
  /** Holds each notice back until a later one was sent. */
  reorder: v.optional(v.boolean(), false),
  /** Sends no notice. */
  lose: v.optional(v.boolean(), false),
  /** The amount in notices, whole yen; null for the true one. */
  amount: v.optional(v.nullable(yen), null),
  /** The shop in notices; null for the true one. */
  store: v.optional(v.nullable(v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/))), null),
  /** Refuses every card. */
  refuse: v.optional(v.boolean(), false),
  /** Lets the charges of further months fail. */
  failRenewals: v.optional(v.boolean(), false),
})

export type Behaviour = v.InferOutput<typeof behaviourSchema>

/** The behaviour in force; after a change of its form by an update, the usual one. */
export async function behaviourOf(db: Db): Promise<Behaviour> {
  const parsed = v.safeParse(behaviourSchema, await readSandboxBehaviour(db))
  return parsed.success ? parsed.output : v.parse(behaviourSchema, {})
}

export const setBehaviour = (db: Db, behaviour: Behaviour): Promise<void> =>
  writeSandboxBehaviour(db, behaviour)
