// Registers the two endpoints that turn a like, follow, mute or block on and off.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type * as v from 'valibot'
import type { Endpoint, Schema } from '#contract/endpoint.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { type Mutation, mutationNames } from '#contract/mutations/mutations.ts'
import type { Metrics } from '#server/adapters/metrics/metrics.ts'
import { ApiError } from '#server/http/errors.ts'
import type { RateLimit } from '#server/http/limits.ts'
import { memberRoute } from '#server/http/route.ts'
import type { Viewer } from '#server/http/viewer.ts'
import type { Transaction, UnitOfWork } from '#server/services/transaction/unit-of-work.ts'
import { commitInOrder } from './sequence-number.ts'

type Params = Readonly<Record<string, string>>
type ParamsSchema<P extends Params> = v.GenericSchema<unknown, P>

/** One request to turn something on or off. */
export interface ToggleCall<P extends Params> {
  readonly viewer: Viewer
  readonly params: P
  readonly request: FastifyRequest
}

/** An error code becomes the reply, although the change is committed. */
type Outcome = Promise<ErrorCode | undefined | void>

export interface Toggle<P extends Params, R extends Schema, Unit, Subject> {
  readonly on: Endpoint<ParamsSchema<P>, Schema, Schema, R>
  readonly off: Endpoint<ParamsSchema<P>, Schema, Schema, R>
  /** Each of the two has a budget of its own. */
  readonly rateLimit: RateLimit
  /**
   * Decides whether it may be turned on, and reads what `turnOn` needs. Turning off is always allowed.
   * @throws ApiError for a viewer without permission
   */
  readonly mayTurnOn: (call: ToggleCall<P>) => Promise<Subject>
  readonly turnOn: (unit: Unit, call: ToggleCall<P>, subject: Subject) => Outcome
  readonly turnOff: (unit: Unit, call: ToggleCall<P>) => Outcome
  /** Reads the reply after the commit. */
  readonly reply: (call: ToggleCall<P>, isOn: boolean) => Promise<v.InferInput<R>>
}

interface Ports<Unit> {
  readonly transaction: Transaction<Unit>
  readonly metrics: Pick<Metrics, 'repeated'>
  readonly clock: () => number
}

/** Each change is one unit of work. Endpoints that are mutations of the contract take effect in the sender's order. */
export function toggleRoutes<
  P extends Params,
  R extends Schema,
  Unit extends Pick<UnitOfWork, 'tx'>,
  Subject,
>(app: FastifyInstance, ports: Ports<Unit>, toggle: Toggle<P, R, Unit, Subject>): void {
  const { on, off, rateLimit, reply } = toggle
  const register = (
    endpoint: typeof on,
    isOn: boolean,
    prepare: (call: ToggleCall<P>) => Promise<(unit: Unit) => Outcome>,
  ): void =>
    memberRoute(
      app,
      endpoint,
      async (call) => {
        const change = await prepare(call)
        const outcome = await commitChange(ports, endpoint, call, change)
        if (outcome !== undefined && outcome !== 'late') throw new ApiError(outcome)
        return reply(call, isOn)
      },
      { rateLimit },
    )
  register(on, true, async (call) => {
    const subject = await toggle.mayTurnOn(call)
    return (unit) => toggle.turnOn(unit, call, subject)
  })
  register(off, false, async (call) => (unit) => toggle.turnOff(unit, call))
}

function commitChange<Unit extends Pick<UnitOfWork, 'tx'>>(
  ports: Ports<Unit>,
  { name }: { readonly name: string },
  call: ToggleCall<Params>,
  change: (unit: Unit) => Outcome,
): Promise<ErrorCode | 'late' | undefined | void> {
  const mutationName = mutationNames.find((it) => it === name)
  if (mutationName === undefined) return ports.transaction(change)
  const mutation: Mutation = { name: mutationName, params: call.params }
  return commitInOrder(ports, call, mutation, change)
}
