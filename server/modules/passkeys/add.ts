// Registering a passkey: after a recent validation, with an email to the owner.
import { generateRegistrationOptions, verifyRegistrationResponse } from '@simplewebauthn/server'
import type { FastifyRequest } from 'fastify'
import { type Attestation, MAX_PASSKEYS } from '#contract/accounts/passkeys.ts'
import type { Deps } from '#server/deps.ts'
import { deviceOf } from '#server/services/auth/device-name.ts'
import { ApiError } from '#server/http/errors.ts'
import type { Viewer } from '#server/http/viewer.ts'
import {
  addPasskey,
  countPasskeys,
  listPasskeys,
  type Passkey,
  takeChallenge,
} from '#server/store/accounts/passkeys.ts'
import { giveOut, isUnverified, relyingPartyOf } from './relying-party.ts'

const UNNAMED = 'パスキー'

export async function askNew(deps: Deps, viewer: Viewer) {
  const { db } = deps
  const known = await listPasskeys(db, viewer.id)
  if (known.length >= MAX_PASSKEYS) throw new ApiError('conflict')
  const options = await generateRegistrationOptions({
    rpName: 'とどけ',
    rpID: relyingPartyOf(deps).id,
    // Not the address: a finder of the key can read this.
    userID: new TextEncoder().encode(viewer.id),
    userName: viewer.email,
    userDisplayName: viewer.name,
    excludeCredentials: known.map(({ id, transports }) => ({ id, transports })),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
  })
  const { challenge } = options
  const challenge_id = await giveOut(deps, { userId: viewer.id, purpose: 'add', challenge })
  return { challenge_id, options: { ...options } }
}

export async function add(
  deps: Deps,
  viewer: Viewer,
  { challenge_id, response }: { challenge_id: string; response: Attestation },
  request: FastifyRequest,
): Promise<Passkey> {
  const { db, clock, transaction } = deps
  const now = clock()
  const challenge = await takeChallenge(db, { id: challenge_id, userId: viewer.id, purpose: 'add' }, now)
  const made = challenge === undefined ? undefined : await verify(deps, challenge, response, request)
  if (!made) throw new ApiError('passkey_refused')
  const name = deviceOf(request.headers['user-agent'] ?? '').name || UNNAMED
  const passkey: Passkey = { ...made, userId: viewer.id, name, createdAt: new Date(now), lastUsedAt: null }
  await transaction(async ({ tx, email }) => {
    if ((await countPasskeys(tx, viewer.id)) >= MAX_PASSKEYS) throw new ApiError('conflict')
    if (!(await addPasskey(tx, passkey))) throw new ApiError('conflict')
    const to = { email: viewer.email, name: viewer.name }
    await email(to, { is: 'passkey_added', name, at: now })
  })
  return passkey
}

type Made = Pick<Passkey, 'id' | 'publicKey' | 'counter' | 'transports' | 'backedUp'>

async function verify(
  deps: Deps,
  expectedChallenge: string,
  { response, ...credential }: Attestation,
  request: FastifyRequest,
): Promise<Made | undefined> {
  const { id: expectedRPID, origin: expectedOrigin } = relyingPartyOf(deps)
  const { clientDataJSON, attestationObject, transports } = response
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        id: credential.id,
        rawId: credential.rawId,
        type: credential.type,
        response: { clientDataJSON, attestationObject },
        clientExtensionResults: {},
      },
      expectedChallenge,
      expectedOrigin,
      expectedRPID,
      requireUserVerification: true,
    })
    if (!verified) return undefined
    const { credential: made, credentialBackedUp: backedUp } = registrationInfo
    const publicKey = Buffer.from(made.publicKey).toString('base64url')
    return { id: made.id, publicKey, counter: made.counter, transports, backedUp }
  } catch (error) {
    if (isUnverified(error)) throw new ApiError('passkey_unverified')
    request.log.warn({ why: error instanceof Error ? error.message : error }, 'a new passkey was refused')
    return undefined
  }
}
