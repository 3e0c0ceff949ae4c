// A priced post, payments by a sandbox, and checks of the ledger.
import type { InjectOptions } from 'fastify'
import { newId } from '#contract/ids.ts'
import { defined } from '#contract/testing/defined.ts'
import { HOSTED_SANDBOX_PATH, PAYMENT_NOTICES_PATH, SANDBOX_PATH } from '#contract/paths.ts'
import type { BodyOf, ReplyOf } from '#contract/endpoint.ts'
import type { beginPayment } from '#contract/payments/payments.ts'
import { noticeSecretOf } from '#server/services/payments/identifiers.ts'
import { findSandboxCharge } from '#server/store/payments/sandbox.ts'
import { noticeEnd } from '#server/services/payments/providers.ts'
import { balances } from '#server/store/payments/ledger.ts'
import {
  addPost,
  call,
  identify,
  type Member,
  postIdOf,
  type Reply,
  signUp,
} from '#server/testing/people/members.ts'
import type { World } from '#server/testing/world.ts'
import { eventOf, signed } from './webhooks.ts'

export type BegunPayment = ReplyOf<typeof beginPayment>
export type FormFields = Readonly<Record<string, string>>

export const GOOD_CARD = '4111 1111 1111 1111'
export const REFUSED_CARD = '4000 0000 0000 0002'

export interface Shop {
  readonly creator: Member
  readonly buyer: Member
  readonly postId: string
}

/** A released post of a creator, and a buyer. */
export async function openShop(world: World, price = 500): Promise<Shop> {
  const [creator, buyer] = [await identify(world, await signUp(world)), await signUp(world)]
  return { creator, buyer, postId: await pricedPost(world, creator, price) }
}

export async function pricedPost(
  world: World,
  creator: Member,
  price = 500,
  isAgeLimited = false,
): Promise<string> {
  const fields = [
    ['content', '有料の投稿です'],
    ['type', '3'],
    ['price', String(price)],
    ['is_age_limited', isAgeLimited ? '1' : '0'],
  ] as const
  return releasedPost(world, creator, fields)
}

/** Adds a post of these form fields and releases it. @returns its id */
export async function releasedPost(
  world: World,
  creator: Member,
  fields: Parameters<typeof addPost>[2],
): Promise<string> {
  const id = postIdOf(await addPost(world, creator, fields, newId()))
  await call(world, creator, 'POST', `/post/release-uploaded/${id}`)
  return id
}

export const begin = (
  world: World,
  as: Member | null,
  postId: string,
  more: Partial<BodyOf<typeof beginPayment>> = {},
): Promise<Reply> =>
  call(world, as, 'POST', '/payments', { payment_id: newId(), post_id: postId, price: 500, ...more })

/** Begins a payment. @returns it, with the fields of its form by name */
export async function begun(
  world: World,
  as: Member,
  postId: string,
  more: Partial<BodyOf<typeof beginPayment>> = {},
): Promise<BegunPayment & { readonly fields: FormFields }> {
  const reply = (await begin(world, as, postId, more)).json<BegunPayment>()
  return { ...reply, fields: await fieldsAt(world, reply) }
}

/** The fields of a form; of a redirect, those of its query. */
export function fieldsOf({ start }: BegunPayment): FormFields {
  if (start?.is === 'form') return Object.fromEntries(start.form.fields.map((it) => [it.name, it.value]))
  return Object.fromEntries(new URLSearchParams(start?.url.split('?')[1]))
}

/** The fields of a form. Those of a page of the hosted sandbox have the same names, and its address is `page`. */
export async function fieldsAt({ deps }: World, begunPayment: BegunPayment): Promise<FormFields> {
  const { start } = begunPayment
  if (start?.is !== 'redirect') return fieldsOf(begunPayment)
  const page = start.url
  const charge = defined(await findSandboxCharge(deps.db, page.slice(HOSTED_SANDBOX_PATH.length + 1)))
  const { amount, fields } = charge
  return {
    page,
    am: String(amount),
    aid: fields['shop'] ?? '',
    payment_id: fields['payment'] ?? '',
    session_id: fields['session'] ?? '',
    auth_id: fields['auth'] ?? '',
  }
}

const urlencoded = { 'content-type': 'application/x-www-form-urlencoded' }

/** Posts a form to the sandbox, as a browser does. */
export function postForm(world: World, path: string, fields: FormFields | string): Promise<Reply> {
  const payload = typeof fields === 'string' ? fields : new URLSearchParams(fields).toString()
  return world.app.inject({ method: 'POST', url: SANDBOX_PATH + path, headers: urlencoded, payload })
}

/** Opens the page of the sandbox, by a form or its address. */
export const sandboxPage = (world: World, fields: FormFields): Promise<Reply> =>
  fields['page'] === undefined ? postForm(world, '', fields) : world.app.inject(fields['page'])

/** Opens the page of the sandbox. @returns the path of the page's own form */
export async function openSandbox(world: World, fields: FormFields): Promise<string> {
  const page = await sandboxPage(world, fields)
  return /action="\/api\/payment-sandbox(\/[\w-]+)"/.exec(page.body)?.[1] ?? ''
}

/** Pays a form in the sandbox by a card. @returns the reply to the button */
export async function pay(world: World, fields: FormFields, card = GOOD_CARD): Promise<Reply> {
  return postForm(world, await openSandbox(world, fields), { card, do: 'pay' })
}

/** Changes what the sandbox does; without a change it behaves. */
export async function behave(
  world: World,
  behaviour: Readonly<Record<string, unknown>> = {},
): Promise<Reply> {
  return call(world, null, 'PUT', '/payment-sandbox/control', behaviour)
}

/** Sends the due notices of the sandbox now. */
export const sendDueNotices = (world: World): Promise<Reply> =>
  call(world, null, 'POST', '/payment-sandbox/control/send')

export function noticeUrl({ deps }: World): string {
  const secret = noticeSecretOf(deps.secrets, deps.settings.payments.noticePath)
  const { current } = deps.paymentProviders
  return `${PAYMENT_NOTICES_PATH}/${secret}${current ? noticeEnd(deps.paymentProviders, current) : ''}`
}

const isHosted = ({ paymentProviders }: World['deps']) => paymentProviders.current?.name === 'hosted-sandbox'

/** The fields of a true notice of a charge. */
export const noticeFields = (form: FormFields, gid: string = newId()): FormFields => ({
  gid,
  rst: '1',
  ap: '000000',
  ec: '',
  god: gid,
  cod: '',
  am: form['am'] ?? '',
  tx: '0',
  sf: '0',
  ta: form['am'] ?? '',
  aid: form['aid'] ?? '',
  payment_id: form['payment_id'] ?? '',
  session_id: form['session_id'] ?? '',
  auth_id: form['auth_id'] ?? '',
})

/** Sends a notice as the provider does: of the hosted sandbox, the signed event that says the same. */
export function notice(
  world: World,
  fields: FormFields | string,
  more: Partial<InjectOptions> = {},
): Promise<Reply> {
  const query = typeof fields === 'string' ? fields : new URLSearchParams(fields).toString()
  const url = noticeUrl(world)
  if (!isHosted(world.deps)) return world.app.inject({ method: 'GET', url: `${url}?${query}`, ...more })
  const event = eventOf(Object.fromEntries(new URLSearchParams(query)), world.clock.now)
  return world.app.inject({ method: 'POST', url, ...signed(world, event), ...more })
}

/** `full`, or what the viewer has to do first. */
export async function accessOf(world: World, as: Member, postId: string): Promise<string> {
  const { access } = (await call(world, as, 'GET', `/posts/${postId}`)).json()
  return access?.is === 'full' ? 'full' : (access?.wants ?? 'hidden')
}

/** State of a payment, as its owner sees it. */
export async function stateOf(world: World, as: Member, paymentId: string): Promise<string> {
  return (await call(world, as, 'GET', `/payments/${paymentId}`)).json().state
}

/** Balances of the accounts of the ledger that have one, in yen. @throws when they do not add up to zero */
export async function ledgerOf({ deps }: World): Promise<Readonly<Record<string, number>>> {
  const sums = [...(await balances(deps.db))].filter(([, sum]) => sum !== 0)
  const total = sums.reduce((sum, [, it]) => sum + it, 0)
  if (total !== 0) throw new Error(`the ledger adds up to ${total}`)
  return Object.fromEntries(sums)
}

/** Rows of a query. */
export async function rowsOf<Row>(
  { database }: World,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  return (await database.executeSql(text, values)).rows as Row[]
}

/** Outcomes of all notices, in the order of their arrival. */
export const outcomesOf = async (world: World): Promise<(string | null)[]> => {
  const rows = await rowsOf<{ outcome: string | null }>(
    world,
    'select outcome from payment_notices order by id',
  )
  return rows.map((row) => row.outcome)
}
