// Buys a post without a browser: begins the payment, and pays the sandbox's form.
import type { BodyOf, ReplyOf } from '#contract/endpoint.ts'
import { newId } from '#contract/ids.ts'
import { SANDBOX_PATH } from '#contract/paths.ts'
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
  const { id, form } = (await api.call('POST', '/payments', body)) as ReplyOf<typeof beginPayment>
  if (!form) throw new Error('the payment has no form')
  const post = (path: string, fields: readonly (readonly [string, string])[]) =>
    fetch(url + path, { method: 'POST', body: new URLSearchParams(fields.map((it) => [...it])) })
  const page = await post(
    SANDBOX_PATH,
    form.fields.map(({ name, value }) => [name, value] as const),
  )
  const [, action = ''] = /action="(\/api\/payment-sandbox\/[\w-]+)"/.exec(await page.text()) ?? []
  await post(action, [
    ['card', GOOD_CARD],
    ['do', 'pay'],
  ])
  const state = async () => ((await api.call('GET', `/payments/${id}`)) as ReplyOf<typeof getPayment>).state
  await until(async () => (await state()) === 'paid' || undefined, `the payment of ${postId}`, 30_000)
  return id
}
