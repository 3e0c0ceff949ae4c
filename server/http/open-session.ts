// Opening a session: whoever has proven who they are gets a new token, and the place it was opened from is noted.
import type { FastifyRequest } from 'fastify'
import { MEDIA_PATH } from '#contract/paths.ts'
import type { SessionReply, SessionUser } from '#contract/session.ts'
import type { Db } from '#server/store/database.ts'
import { findDeletion } from '#server/store/leaving.ts'
import { findPicture } from '#server/store/people.ts'
import { addSession, type SessionMethod } from '#server/store/sessions.ts'
import { deviceText } from './device-name.ts'
import { hashToken, newToken } from './session.ts'

export interface Known {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly role: 'member' | 'admin'
}

export interface Opening {
  readonly user: Known
  readonly method: SessionMethod
  /** The password reset this browser has proven and takes along. */
  readonly resetId?: string
}

/** The person as their own screens show them. */
export async function sessionUserOf(db: Db, user: Known): Promise<SessionUser> {
  const avatar = await findPicture(db, user.id, 'avatar')
  const leaving = await findDeletion(db, user.id)
  const { id, email, name, role } = user
  return {
    id,
    email,
    name,
    role,
    avatar_url: avatar && `${MEDIA_PATH}/${avatar}/w480`,
    ...(leaving && { deletion_due: leaving.dueAt.toISOString() }),
  }
}

/** A session always gets a token of our own making: one that a caller brings along is never taken on. */
export async function openSession(
  db: Db,
  request: FastifyRequest,
  { user, method, resetId }: Opening,
  now: number,
): Promise<SessionReply> {
  const token = newToken()
  await addSession(
    db,
    {
      tokenHash: hashToken(token),
      userId: user.id,
      method,
      device: deviceText(request.headers['user-agent']),
      ip: request.ip,
      resetId: resetId ?? null,
    },
    now,
  )
  return { token, token_type: 'Bearer', user: await sessionUserOf(db, user) }
}
