// Acts in their order: a request that the network brings after a later one of the same device changes nothing.
import type { FastifyRequest } from 'fastify'
import { ACT_NUMBER, readActNumber, type ActNumber } from '#contract/mutations/sequence-number.ts'
import { aboutOf, type Act } from '#contract/mutations/mutations.ts'
import { noteActNumber } from '#server/store/reactions/sequence-numbers.ts'
import type { Db } from '#server/store/database.ts'
import { ApiError } from '#server/http/errors.ts'
import type { Viewer } from '#server/http/viewer.ts'

type Work<After, T> = (tx: Db, after: After) => Promise<T>

interface Ports<After> {
  readonly commit: <T>(work: Work<After, T>) => Promise<T>
  readonly clock: () => number
}

interface Asked {
  readonly viewer: Viewer
  readonly request: FastifyRequest
}

/**
 * Commits what an act does.
 * @returns what `work` gives, or `late` when the same act or a later one was committed before
 */
export function commitInOrder<After, T>(
  { commit, clock }: Ports<After>,
  { viewer, request }: Asked,
  act: Act,
  work: Work<After, T>,
): Promise<T | 'late'> {
  const number = numberOf(request)
  return commit(async (tx, after) => {
    const isNew = !number || (await noteActNumber(tx, viewer.id, aboutOf(act), number, clock()))
    return isNew ? work(tx, after) : 'late'
  })
}

/** Whoever sends no number is done as they come. */
function numberOf({ headers }: FastifyRequest): ActNumber | undefined {
  const given = headers[ACT_NUMBER]
  if (given === undefined) return undefined
  const number = typeof given === 'string' ? readActNumber(given) : undefined
  if (!number) throw new ApiError('invalid', { [ACT_NUMBER]: 'malformed' })
  return number
}
