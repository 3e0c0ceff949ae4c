// The relying party of passkeys: the public host name of the app, shared by all its servers.
import { newId } from '#contract/ids.ts'
import { CHALLENGE_MS } from '#contract/accounts/passkeys.ts'
import type { Deps } from '#server/deps.ts'
import { addChallenge, type Challenge } from '#server/store/accounts/passkeys.ts'

export interface RelyingParty {
  /** Host name without a port. */
  readonly id: string
  readonly origin: string
}

export function relyingPartyOf({ settings }: Deps): RelyingParty {
  const { hostname, origin } = new URL(settings.publicUrl)
  return { id: hostname, origin }
}

/** Notes a challenge that is about to be given out. */
export async function giveOut(
  { db, clock }: Deps,
  challenge: Pick<Challenge, 'userId' | 'purpose' | 'challenge'>,
): Promise<string> {
  const id = newId()
  await addChallenge(db, { ...challenge, id, expiresAt: new Date(clock() + CHALLENGE_MS) })
  return id
}

/** Whether the library refused an answer because the authenticator had not verified its person; it has no code for it. */
export function isUnverified(error: unknown): boolean {
  return error instanceof Error && /^User verification (was )?required/.test(error.message)
}
