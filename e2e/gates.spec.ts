// What a fan is shown of a post that is not open to them.
import { creator, fan, sessionOf, signIn } from './rig/people.ts'
import { expect, test } from './rig/story.ts'

/** Publishes by the API a post that costs money, and gives its id. */
async function publishPriced(url: string, content: string): Promise<string> {
  const { token } = await sessionOf(url, creator)
  const headers = { authorization: `Bearer ${token}` }
  const body = new FormData()
  body.set('content', content)
  body.set('type', '3')
  body.set('price', '1,200')
  const added = await fetch(`${url}/api/post/add`, { method: 'POST', headers, body })
  const { data } = (await added.json()) as { data: { item: { id: string } }[] }
  const id = data[0]?.item.id ?? ''
  const released = await fetch(`${url}/api/post/release-uploaded/${id}`, { method: 'POST', headers })
  expect(released.status).toBe(200)
  return id
}

test('a priced post shows its price and not its text', async ({ server, network, phone }) => {
  const secret = '購入した人だけが読める文章'
  const id = await publishPriced(server.url, secret)
  const { page } = phone
  const answers: string[] = []
  page.on('response', (it) => {
    if (new URL(it.url()).pathname.startsWith('/api/'))
      void it.text().then(
        (body) => answers.push(body),
        () => '',
      )
  })
  await signIn(page, network.url, fan)
  await page.goto(`${network.url}/post/${id}`)
  await expect(page.getByText('有料の投稿').first()).toBeVisible()
  await expect(page.getByText(/1,200円/).first()).toBeVisible()
  await expect(page.getByText(secret)).toHaveCount(0)
  // Nor did it travel unseen.
  expect(answers.join('\n')).not.toContain(secret)
})

test('its author sees a priced post in full', async ({ server, network, phone }) => {
  const secret = '購入した人だけが読める文章'
  const id = await publishPriced(server.url, secret)
  await signIn(phone.page, network.url, creator)
  await phone.page.goto(`${network.url}/post/${id}`)
  await expect(phone.page.getByText(secret)).toBeVisible()
})
