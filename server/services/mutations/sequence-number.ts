// Applies mutations of a device in order: a late one changes nothing.
import type { FastifyRequest } from 'fastify'
import {
  SEQUENCE_NUMBER_HEADER,
  readSequenceNumber,
  type SequenceNumber,
} from '#contract/mutations/sequence-number.ts'
import { aboutOf, type Mutation } from '#contract/mutations/mutations.ts'
import { recordSequenceNumber } from '#server/store/reactions/sequence-numbers.ts'
import type { Transaction, UnitOfWork } from '#server/services/transaction/unit-of-work.ts'
import type { Metrics } from '#server/adapters/metrics/metrics.ts'
import { ApiError } from '#server/http/errors.ts'
import type { Viewer } from '#server/http/viewer.ts'

interface Ports<Unit> {
  readonly transaction: Transaction<Unit>
  readonly metrics: Pick<Metrics, 'repeated'>
  readonly clock: () => number
}

interface Sent {
  readonly viewer: Viewer
  readonly request: FastifyRequest
}

/**
 * Commits a mutation unless it arrives too late.
 * @returns the result of `work`, or `late` when the same mutation or a later one was committed before
 */
export async function commitInOrder<Unit extends Pick<UnitOfWork, 'tx'>, T>(
  { transaction, clock, metrics }: Ports<Unit>,
  { viewer, request }: Sent,
  mutation: Mutation,
  work: (unit: Unit) => Promise<T>,
): Promise<T | 'late'> {
  const number = numberOf(request)
  const result = await transaction<T | 'late'>(async (unit) => {
    const isNew =
      !number || (await recordSequenceNumber(unit.tx, viewer.id, aboutOf(mutation), number, clock()))
    return isNew ? work(unit) : 'late'
  })
  if (result === 'late') metrics.repeated('mutation')
  return result
}

/** The sequence number of a request. Requests without one take effect in the order of their arrival. */
function numberOf({ headers }: FastifyRequest): SequenceNumber | undefined {
  const given = headers[SEQUENCE_NUMBER_HEADER]
  if (given === undefined) return undefined
  const number = typeof given === 'string' ? readSequenceNumber(given) : undefined
  if (!number) throw new ApiError('invalid', { [SEQUENCE_NUMBER_HEADER]: 'malformed' })
  return number
}
