// Emails to one address are few from all networks, and its owner can still register.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { noLimits, usualLimits } from '#server/http/limits.ts'
import { emailsTo, tokenIn } from '#server/testing/people/emails.ts'
import { call, errorOf, type Member, PASSWORD, type Reply, signUp } from '#server/testing/people/members.ts'
import { validate } from '#server/testing/people/leaving.ts'
import { API_BASE } from '#contract/paths.ts'
import { openWorld, type World } from '#server/testing/world.ts'

const DAY = 24 * 3600_000

let world: World
let address: string
let count = 0
beforeAll(async () => {
  const { emailsToAddress, noticesToOwner, emailsOfNetwork } = usualLimits
  world = await openWorld({
    settings: { limits: { ...noLimits, emailsToAddress, noticesToOwner, emailsOfNetwork } },
  })
})
afterAll(() => world.close())
beforeEach(() => void (address = `flooded${++count}@example.com`))

interface Registered {
  readonly registration_id: string
  readonly claim: string
  readonly sent: boolean
}

/** A sign-up from a network of its own. */
async function register(email: string, password = PASSWORD, network = count++): Promise<Registered> {
  const body = { email, password, name: '花子', birth_date: '1990-01-01', terms: true }
  const remoteAddress = `2001:db8:${(network + 1).toString(16)}::1`
  const reply = await world.app.inject({
    method: 'POST',
    url: `${API_BASE}/auth/sign-up`,
    payload: body,
    remoteAddress,
  })
  return reply.json()
}
const resend = ({ registration_id, claim }: Registered) =>
  call(world, null, 'POST', '/auth/sign-up/resend', { registration_id, claim })
const confirm = (body: object) => call(world, null, 'POST', '/auth/sign-up/confirm', body)
const outcome = (reply: Reply) => [reply.statusCode, errorOf(reply)?.code]
const kindsTo = async (email: string) => (await emailsTo(world, email)).map((it) => it.is)

test('an address gets three links a day from any number of networks, and the reply says whether one was sent', async () => {
  const sent: boolean[] = []
  for (let i = 0; i < 10; i++) sent.push((await register(address)).sent)
  expect(sent).toEqual([true, true, true, ...Array<boolean>(7).fill(false)])
  expect(await kindsTo(address)).toEqual(Array<string>(3).fill('confirm_registration'))
  world.clock.now += DAY + 1
  expect((await register(address)).sent).toBe(true)
})

test('a link that is sent again counts too', async () => {
  const registered = await register(address)
  expect((await resend(registered)).statusCode).toBe(200)
  expect((await resend(registered)).statusCode).toBe(200)
  const fourth = await resend(registered)
  expect(outcome(fourth)).toEqual([429, 'rate_limited'])
  expect(await kindsTo(address)).toHaveLength(3)
})

test('the address of a member gets the same replies, and one notice a day', async () => {
  const { email } = await signUp(world)
  const sent: boolean[] = []
  for (let i = 0; i < 5; i++) sent.push((await register(email)).sent)
  expect(sent).toEqual([true, true, true, false, false])
  expect(await kindsTo(email)).toEqual(['already_registered'])
})

test('a flood does not keep the owner from registering: a link of the flood completes their registration on their device', async () => {
  for (let i = 0; i < 3; i++) await register(address, 'stranger-12')
  const token = await tokenIn(world, address)
  const own = await register(address)
  for (let i = 0; i < 20; i++) await register(address, 'stranger-12')
  expect(own.sent).toBe(false)
  expect((await confirm({ token, claim: own.claim })).json()).toMatchObject({ user: { email: address } })
  const signedIn = await call(world, null, 'POST', '/auth/sign-in', { email: address, password: PASSWORD })
  expect(signedIn.statusCode).toBe(200)
})

test('on another device the password chooses the registration, and that of a stranger is not completed', async () => {
  await register(address, 'stranger-12')
  const token = await tokenIn(world, address)
  await register(address)
  expect(outcome(await confirm({ token }))).toEqual([403, 'confirm_password'])
  expect(outcome(await confirm({ token, password: 'todoke-9999' }))).toEqual([401, 'wrong_credentials'])
  expect((await confirm({ token, password: PASSWORD })).statusCode).toBe(200)
})

test('a claim of a registration of another address completes nothing', async () => {
  const stranger = await register(`other${address}`)
  await register(address)
  const token = await tokenIn(world, address)
  expect(outcome(await confirm({ token, claim: stranger.claim }))).toEqual([403, 'confirm_password'])
})

test('networks of one IPv6 site share a budget that is twenty times that of one', async () => {
  const from = (network: number) =>
    world.app.inject({
      method: 'POST',
      url: `${API_BASE}/auth/sign-up`,
      payload: {
        email: `site${network}@example.com`,
        password: PASSWORD,
        name: '花子',
        birth_date: '1990-01-01',
        terms: true,
      },
      remoteAddress: `2001:db8:ffff:${network.toString(16)}::1`,
    })
  for (let network = 0; network < 600; network++) expect((await from(network)).statusCode).toBe(200)
  const refused = await from(600)
  expect(outcome(refused)).toEqual([429, 'rate_limited'])
})

const change = async (member: Member, email: string) => {
  await validate(world, member)
  return call(world, member, 'POST', '/auth/email', { email })
}

test('codes for a new address are three a day over all accounts, and the first of each account is sent', async () => {
  const [one, two, owner] = [await signUp(world), await signUp(world), await signUp(world)]
  const replies = []
  for (const member of [one, one, one, one, two, two, owner])
    replies.push((await change(member, address)).statusCode)
  expect(replies).toEqual([200, 200, 200, 429, 200, 429, 200])
})
