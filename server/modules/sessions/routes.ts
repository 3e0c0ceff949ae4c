// Sessions: sign-up, sign-in, sign-out, and who is signed in (specification sections 4 and 7).
import type { FastifyInstance } from 'fastify'
import { newId } from '#contract/ids.ts'
import { MEDIA_PATH } from '#contract/paths.ts'
import {
  getSession,
  type SessionReply,
  type SessionUser,
  signIn,
  signOut,
  signUp,
} from '#contract/session.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { perEmail } from '#server/http/limits.ts'
import { memberRoute, route } from '#server/http/route.ts'
import { hashToken, newToken } from '#server/http/session.ts'
import { findDeletion } from '#server/store/leaving.ts'
import { addUser, findPicture, findUserByEmail } from '#server/store/people.ts'
import { addSession, removeSession } from '#server/store/sessions.ts'

interface Known {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly role: SessionUser['role']
}

export function sessionRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, clock, passwords, settings } = deps

  const viewOf = async (user: Known): Promise<SessionUser> => {
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
  const open = async (user: Known): Promise<SessionReply> => {
    const token = newToken()
    await addSession(db, hashToken(token), user.id, clock())
    return { token, token_type: 'Bearer', user: await viewOf(user) }
  }

  route(
    app,
    signUp,
    async ({ body }) => {
      const user = {
        id: newId(),
        email: body.email,
        passwordHash: await passwords.hash(body.password),
        name: body.name,
        birthDate: body.birth_date,
        role: 'member' as const,
        createdAt: new Date(clock()),
      }
      if (!(await addUser(db, user))) throw new ApiError('email_taken')
      return open(user)
    },
    { rateLimit: settings.limits.signUp },
  )

  route(
    app,
    signIn,
    async ({ body }) => {
      const user = await findUserByEmail(db, body.email)
      const same = await passwords.verify(user?.passwordHash, body.password)
      if (!user || !same) throw new ApiError('wrong_credentials')
      return open(user)
    },
    { rateLimit: perEmail(settings.limits.signIn) },
  )

  memberRoute(app, signOut, async ({ viewer }) => {
    await removeSession(db, viewer.tokenHash)
    return { signed_out: true as const }
  })

  memberRoute(app, getSession, async ({ viewer }) => ({ user: await viewOf(viewer) }))
}
