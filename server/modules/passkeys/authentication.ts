// Authentication by a passkey: options, and verification of the assertion, which is valid once.
import { generateAuthenticationOptions, verifyAuthenticationResponse } from '@simplewebauthn/server'
import type { FastifyBaseLogger } from 'fastify'
import type { Assertion } from '#contract/accounts/passkeys.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import {
  type Challenge,
  findPasskey,
  listPasskeys,
  recordPasskeyUse,
  type Passkey,
  takeChallenge,
} from '#server/store/accounts/passkeys.ts'
import { issueChallenge, isUnverified, relyingPartyOf } from './relying-party.ts'

/** For whom and for what a challenge is: any person with a passkey, or the person of a session. */
export type ChallengeScope = Pick<Challenge, 'userId' | 'purpose'>

export async function createAuthenticationOptions(deps: Deps, { userId, purpose }: ChallengeScope) {
  const passkeys = userId === null ? [] : await listPasskeys(deps.db, userId)
  const options = await generateAuthenticationOptions({
    rpID: relyingPartyOf(deps).id,
    userVerification: 'required',
    allowCredentials: passkeys.map(({ id, transports }) => ({ id, transports })),
  })
  return {
    challenge_id: await issueChallenge(deps, { userId, purpose, challenge: options.challenge }),
    options: { ...options },
  }
}

/**
 * Verifies an assertion and records the use of its passkey.
 * @returns the passkey
 * @throws ApiError `passkey_unverified` without user verification, and `passkey_refused` for every other reason, which is
 *   in the log only
 */
export async function verifyAssertion(
  deps: Deps,
  scope: ChallengeScope,
  challengeId: string,
  response: Assertion,
  log: FastifyBaseLogger,
): Promise<Passkey> {
  const { db, clock } = deps
  const challenge = await takeChallenge(db, { ...scope, id: challengeId }, clock())
  const passkey = await findPasskey(db, response.id)
  if (challenge === undefined) return refuse(log, 'the challenge is not one of ours, or was used')
  if (!passkey) return refuse(log, 'nobody has this passkey')
  const userHandle = response.response.userHandle ?? undefined
  const userId = userHandle === undefined ? passkey.userId : Buffer.from(userHandle, 'base64url').toString()
  if (userId !== passkey.userId || (scope.userId ?? passkey.userId) !== passkey.userId)
    return refuse(log, 'the passkey is another person’s', passkey)
  const use = await verifySignature(deps, passkey, challenge, response).catch((error: unknown) => {
    if (isUnverified(error)) throw new ApiError('passkey_unverified')
    // The message names the difference and no usable secret: the challenge is used up by now.
    return refuse(log, error instanceof Error ? error.message : String(error), passkey)
  })
  if (!(await recordPasskeyUse(db, passkey.id, use, clock())))
    return refuse(log, 'the counter has gone back: the passkey may have been copied', passkey)
  return passkey
}

async function verifySignature(
  deps: Deps,
  passkey: Passkey,
  expectedChallenge: string,
  { response, ...credential }: Assertion,
): Promise<Pick<Passkey, 'counter' | 'backedUp'>> {
  const { id: expectedRPID, origin: expectedOrigin } = relyingPartyOf(deps)
  const { clientDataJSON, authenticatorData, signature } = response
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: {
      id: credential.id,
      rawId: credential.rawId,
      type: credential.type,
      response: { clientDataJSON, authenticatorData, signature },
      clientExtensionResults: {},
    },
    expectedChallenge,
    expectedOrigin,
    expectedRPID,
    requireUserVerification: true,
    credential: {
      id: passkey.id,
      publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
      counter: passkey.counter,
    },
  })
  if (!verified) throw new Error('the signature is not of this passkey')
  return { counter: authenticationInfo.newCounter, backedUp: authenticationInfo.credentialBackedUp }
}

function refuse(log: FastifyBaseLogger, why: string, passkey?: Passkey): never {
  log.warn({ why, passkey: passkey?.id, user: passkey?.userId }, 'a passkey was refused')
  throw new ApiError('passkey_refused')
}
