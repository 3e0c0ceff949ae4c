// Exchanges the tokens of sessions, so that a copied one is not valid for long.
import type { FastifyRequest } from 'fastify'
import { ROTATE_AFTER_MS } from '#contract/accounts/sessions.ts'
import type { Deps } from '#server/deps.ts'
import { type Viewer } from '#server/http/viewer.ts'
import { bearerOf, hashToken } from '#server/services/auth/authenticate.ts'
import { offerToken } from '#server/store/accounts/sessions.ts'

/**
 * Returns the next token, or undefined while the present one is young. A token is always exchanged for the same next one:
 * after a lost reply, or with two concurrent requests, every client has a known token.
 */
export async function exchangeToken(
  { db, secrets, clock }: Deps,
  request: FastifyRequest,
  viewer: Viewer,
): Promise<string | undefined> {
  const token = bearerOf(request)
  if (token === undefined || clock() - viewer.tokenSince.getTime() < ROTATE_AFTER_MS) return undefined
  const [first, ...earlier] = secrets.macs('session', token)
  const issued = await offerToken(db, hashToken(token), [hashToken(first), ...earlier.map(hashToken)])
  return [first, ...earlier].find((it) => hashToken(it) === issued)
}
