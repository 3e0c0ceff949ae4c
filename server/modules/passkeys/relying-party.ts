// The relying party of passkeys: the public host name of the app. This file also issues the challenges.
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

/** Stores a challenge for the reply. @returns its id */
export async function issueChallenge(
  { db, clock }: Deps,
  challenge: Pick<Challenge, 'userId' | 'purpose' | 'challenge'>,
): Promise<string> {
  const id = newId()
  await addChallenge(db, { ...challenge, id, expiresAt: new Date(clock() + CHALLENGE_MS) })
  return id
}

/** Whether the library refused a response without user verification. It has no code for this, only a message. */
export function isUnverified(error: unknown): boolean {
  return error instanceof Error && /^User verification (was )?required/.test(error.message)
}
