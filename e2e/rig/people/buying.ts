// Buys posts and joins plans without a browser, by the sandbox's page.
import type { BodyOf, ReplyOf } from '#contract/endpoint.ts'
import { newId } from '#contract/ids.ts'
import { SANDBOX_PATH } from '#contract/paths.ts'
import type { beginMembership } from '#contract/memberships/memberships.ts'
import type { beginPayment, getPayment } from '#contract/payments/payments.ts'
import { until } from '#e2e/rig/network/ports.ts'
import type { Api } from './api.ts'

const GOOD_CARD = '4111 1111 1111 1111'

/**
 * Buys a post, and waits until the payment is paid.
 * @param url the address of the server
 * @param price yen
 * @returns the payment's id
 */
export async function buyPost(url: string, api: Api, postId: string, price: number): Promise<string> {
  const body: BodyOf<typeof beginPayment> = { payment_id: newId(), post_id: postId, price }
  const begun = (await api.call('POST', '/payments', body)) as ReplyOf<typeof beginPayment>
  return pay(url, api, begun)
}

/**
 * Joins a plan, and waits until its first month is paid.
 * @param url the address of the server
 * @returns the id of the payment and of the membership
 */
export async function joinPlan(
  url: string,
  api: Api,
  { id: planId, price }: { readonly id: string; readonly price: number },
): Promise<string> {
  const body: BodyOf<typeof beginMembership> = { payment_id: newId(), plan_id: planId, price }
  const begun = (await api.call('POST', '/memberships', body)) as ReplyOf<typeof beginMembership>
  return pay(url, api, begun)
}

/** Sets what the sandbox does wrong, from now on. */
export const sandboxDoes = (url: string, behaviour: object): Promise<void> =>
  control(url, 'PUT', '', behaviour)

/** Makes something happen to the recurring charge of a membership. */
export const recurringDoes = (
  url: string,
  paymentId: string,
  what: 'charge' | 'fail' | 'stop_by_provider' | 'stop_by_buyer',
): Promise<void> => control(url, 'POST', '/recurring', { payment_id: paymentId, do: what })

async function control(url: string, method: string, path: string, body: object): Promise<void> {
  const reply = await fetch(`${url}${SANDBOX_PATH}/control${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!reply.ok) throw new Error(`the control of the sandbox answered ${reply.status}`)
}

/** Pays on the sandbox's page of a payment, and waits until the payment is paid. */
async function pay(
  url: string,
  api: Api,
  { id, start }: Pick<ReplyOf<typeof beginPayment>, 'id' | 'start'>,
): Promise<string> {
  if (!start) throw new Error('the payment cannot be paid')
  const post = (path: string, fields: readonly (readonly [string, string])[]) =>
    fetch(url + path, { method: 'POST', body: new URLSearchParams(fields.map((it) => [...it])) })
  const page =
    start.is === 'redirect'
      ? await fetch(url + start.url)
      : await post(
          SANDBOX_PATH,
          start.form.fields.map(({ name, value }) => [name, value] as const),
        )
  const [, action = ''] = /action="(\/api\/payment-sandbox\/[\w-]+)"/.exec(await page.text()) ?? []
  await post(action, [
    ['card', GOOD_CARD],
    ['do', 'pay'],
  ])
  const state = async () => ((await api.call('GET', `/payments/${id}`)) as ReplyOf<typeof getPayment>).state
  await until(async () => (await state()) === 'paid' || undefined, `the payment ${id}`)
  return id
}
