// Passkeys on a test server: requested, registered and used as by a browser.
import {
  assert,
  attest,
  type Authenticator,
  newAuthenticator,
} from '#server/testing/clients/authenticator.ts'
import { validate } from './leaving.ts'
import { call, errorOf, type Member, type Reply, signUp } from './members.ts'
import type { World } from '#server/testing/world.ts'

/** A challenge: its id and the options for the browser. */
export interface Challenge {
  challenge_id: string
  options: { challenge: string } & Record<string, unknown>
}

/** Status of a reply, or its error code. */
export const outcome = (reply: Reply) => [reply.statusCode, errorOf(reply).code]
/** The outcome for every invalid passkey response. */
export const refused = [403, 'passkey_refused']
/** The outcome for a passkey that has not verified its user. */
export const unverified = [403, 'passkey_unverified']

/** Passkey requests on a test server. @param worldOf returns the test server, once it is open */
export function passkeysIn(worldOf: () => World) {
  const post = (as: Member | null, path: string, payload?: object) =>
    call(worldOf(), as, 'POST', path, payload)
  const requestChallenge = async (as: Member | null, path: string) =>
    (await post(as, `${path}/challenge`)).json<Challenge>()

  /** A member with a validated session. */
  async function proven(): Promise<Member> {
    const member = await signUp(worldOf())
    await validate(worldOf(), member)
    return member
  }

  async function register(member: Member, authenticator: Authenticator): Promise<Reply> {
    const { challenge_id, options } = await requestChallenge(member, '/auth/passkeys')
    const response = attest(authenticator, options.challenge)
    return post(member, '/auth/passkeys', { challenge_id, response })
  }

  async function withPasskey(): Promise<{ member: Member; key: Authenticator }> {
    const member = await proven()
    const key = newAuthenticator(member.id)
    await register(member, key)
    return { member, key }
  }

  async function signIn(
    key: Authenticator,
    change: (asked: Challenge) => Challenge = (it) => it,
  ): Promise<Reply> {
    const { challenge_id, options } = change(await requestChallenge(null, '/auth/sign-in/passkey'))
    return post(null, '/auth/sign-in/passkey', { challenge_id, response: assert(key, options.challenge) })
  }

  return { post, ask: requestChallenge, proven, register, withPasskey, signIn }
}
