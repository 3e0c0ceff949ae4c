// Registration of passkeys: options, verification of the attestation, and an email to the owner.
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
import { issueChallenge, isUnverified, relyingPartyOf } from './relying-party.ts'

const UNNAMED = 'パスキー'

export async function createRegistrationOptions(deps: Deps, viewer: Viewer) {
  const { db } = deps
  const registered = await listPasskeys(db, viewer.id)
  if (registered.length >= MAX_PASSKEYS) throw new ApiError('conflict')
  const options = await generateRegistrationOptions({
    rpName: 'とどけ',
    rpID: relyingPartyOf(deps).id,
    // The user handle, which authenticators store: an id, not the address.
    userID: new TextEncoder().encode(viewer.id),
    userName: viewer.email,
    userDisplayName: viewer.name,
    excludeCredentials: registered.map(({ id, transports }) => ({ id, transports })),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
  })
  const { challenge } = options
  const challenge_id = await issueChallenge(deps, { userId: viewer.id, purpose: 'add', challenge })
  return { challenge_id, options: { ...options } }
}

export async function registerPasskey(
  deps: Deps,
  viewer: Viewer,
  { challenge_id, response }: { challenge_id: string; response: Attestation },
  request: FastifyRequest,
): Promise<Passkey> {
  const { db, clock, transaction } = deps
  const now = clock()
  const challenge = await takeChallenge(db, { id: challenge_id, userId: viewer.id, purpose: 'add' }, now)
  const credential =
    challenge === undefined ? undefined : await verifyAttestation(deps, challenge, response, request)
  if (!credential) throw new ApiError('passkey_refused')
  const name = deviceOf(request.headers['user-agent'] ?? '').name || UNNAMED
  const passkey: Passkey = {
    ...credential,
    userId: viewer.id,
    name,
    createdAt: new Date(now),
    lastUsedAt: null,
  }
  await transaction(async ({ tx, email }) => {
    if ((await countPasskeys(tx, viewer.id)) >= MAX_PASSKEYS) throw new ApiError('conflict')
    if (!(await addPasskey(tx, passkey))) throw new ApiError('conflict')
    const to = { email: viewer.email, name: viewer.name }
    await email(to, { is: 'passkey_added', name, at: now })
  })
  return passkey
}

type VerifiedCredential = Pick<Passkey, 'id' | 'publicKey' | 'counter' | 'transports' | 'backedUp'>

async function verifyAttestation(
  deps: Deps,
  expectedChallenge: string,
  { response, ...credential }: Attestation,
  request: FastifyRequest,
): Promise<VerifiedCredential | undefined> {
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
    const { credential: verifiedCredential, credentialBackedUp: backedUp } = registrationInfo
    const publicKey = Buffer.from(verifiedCredential.publicKey).toString('base64url')
    const { id, counter } = verifiedCredential
    return { id, publicKey, counter, transports, backedUp }
  } catch (error) {
    if (isUnverified(error)) throw new ApiError('passkey_unverified')
    request.log.warn({ why: error instanceof Error ? error.message : error }, 'a new passkey was refused')
    return undefined
  }
}
