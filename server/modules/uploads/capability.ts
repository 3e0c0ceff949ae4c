// Capabilities: each sends the bytes of one upload, for one session.
// A browser that carries an upload by itself has one in place of the session's token, which changes every day.
import type { FastifyRequest } from 'fastify'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { memberOf } from '#server/http/viewer.ts'
import { findSessionOwner } from '#server/store/accounts/session-owner.ts'

const CAPABILITY = /^Upload +([0-9a-f-]{36})\.([\w-]{43})$/i

const textOf = (uploadId: string, sessionId: string) => `${uploadId} ${sessionId}`

/** The id of the session and a MAC: nothing of it is stored. It is the same each time. */
export const capabilityOf = (
  { secrets }: Pick<Deps, 'secrets'>,
  uploadId: string,
  sessionId: string,
): string => `${sessionId}.${secrets.mac('upload', textOf(uploadId, sessionId))}`

/**
 * The person who sends bytes of an upload: the signed-in one, or the owner of the session of a capability for it.
 * The upload may be another person's.
 * @throws ApiError `unauthenticated`, also once the session ended, or its account is suspended, leaving or deleted
 */
export async function uploaderOf(
  { db, secrets, clock }: Pick<Deps, 'db' | 'secrets' | 'clock'>,
  request: FastifyRequest,
  uploadId: string,
): Promise<string> {
  const [, sessionId, mac] = CAPABILITY.exec(request.headers.authorization ?? '') ?? []
  if (sessionId === undefined || mac === undefined) return memberOf(request).id
  const isGiven = secrets.isMac('upload', textOf(uploadId, sessionId), mac)
  const ownerId = isGiven ? await findSessionOwner(db, sessionId, clock()) : undefined
  if (ownerId === undefined) throw new ApiError('unauthenticated')
  return ownerId
}
