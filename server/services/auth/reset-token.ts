// The password reset token: the id of the proven code and a MAC of it.
import * as v from 'valibot'
import { id } from '#contract/ids.ts'
import { RESET_MS } from '#contract/accounts/password.ts'
import type { Secrets } from '#server/adapters/secrets.ts'
import type { Db } from '#server/store/database.ts'
import { findReset, findSessionReset } from '#server/store/accounts/mail-codes.ts'

interface Ports {
  readonly db: Db
  readonly clock: () => number
  readonly secrets: Secrets
}

export function resetTokenOf(secrets: Secrets, codeId: string): string {
  return `${codeId}.${secrets.mac('password-reset', codeId)}`
}

/** The id in a token that this server made; undefined for any other text. */
export function resetIdOf(secrets: Secrets, token: string): string | undefined {
  const [codeId = '', mac = ''] = token.split('.')
  return v.is(id, codeId) && secrets.isMac('password-reset', codeId, mac) ? codeId : undefined
}

/** The reset that a browser has proven, if it is this person's and has not expired. */
export async function provenReset(
  { db, clock, secrets }: Ports,
  token: string | undefined,
  userId: string,
): Promise<string | undefined> {
  const codeId = token === undefined ? undefined : resetIdOf(secrets, token)
  if (codeId === undefined) return undefined
  return (await findReset(db, codeId, clock() - RESET_MS)) === userId ? codeId : undefined
}

/** The reset token that the session data contains while this session has a reset (specification section 2). */
export async function sessionReset(
  { db, clock, secrets }: Ports,
  sessionId: string,
): Promise<{ password_reset_token?: string }> {
  const codeId = await findSessionReset(db, sessionId, clock() - RESET_MS)
  return codeId === undefined ? {} : { password_reset_token: resetTokenOf(secrets, codeId) }
}
