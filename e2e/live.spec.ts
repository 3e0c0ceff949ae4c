// Live updates of an open page: likes, comments, new posts, and those missed while offline.
import { akari, fan, sessionOf, signIn } from './rig/people/people.ts'
import { expect, test } from './rig/story.ts'

// Its posts and follows would be visible to other stories.
test.use({ ownServer: true })

interface Session {
  readonly token: string
  readonly user: { readonly id: string; readonly name: string }
}

test('likes and comments update an open post, a new post reaches home, and a network gap loses nothing', async ({
  server,
  network,
  phone,
}) => {
  const [author, reader] = [await sessionOf(server.url, akari), await sessionOf(server.url, fan)]
  const api = async ({ token }: Session, method: string, path: string, body?: object | FormData) => {
    const json = body !== undefined && !(body instanceof FormData)
    const answer = await fetch(`${server.url}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(json && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: json ? JSON.stringify(body) : body }),
    })
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}`)
    return answer.json()
  }
  const write = async (content: string): Promise<string> => {
    const form = new FormData()
    form.append('content', content)
    form.append('type', '1')
    const { data } = (await api(author, 'POST', '/post/add', form)) as { data: { item: { id: string } }[] }
    const id = data[0]?.item.id ?? ''
    await api(author, 'POST', `/post/release-uploaded/${id}`)
    return id
  }
  const comment = (content: string) => {
    const id = crypto.randomUUID()
    return api(author, 'POST', `/posts/${post}/comments`, { id, content, parent_id: null, answers_id: null })
  }
  await api(reader, 'PUT', `/follows/${author.user.id}`)
  const post = await write('きょうの灯りです。')

  const { page } = phone
  await signIn(page, network.url, fan)
  const frames: string[] = []
  page.on('websocket', (it) => it.on('framereceived', ({ payload }) => void frames.push(String(payload))))
  /** Waits until a channel is joined from now on; events before that are not received. */
  const joined = (channel: string) => {
    const before = frames.length
    const is = (it: string) => it.includes('subscription_succeeded') && it.includes(channel)
    return () => expect.poll(() => frames.slice(before).some(is)).toBe(true)
  }
  const open = joined('private-post.')
  await page.goto(`${network.url}/post/${post}`)
  await open()
  await api(author, 'PUT', `/posts/${post}/like`)
  await comment('見てくださってありがとう。')
  await expect(page.getByRole('button', { name: 'いいね 1件' })).toBeVisible()
  const main = page.getByRole('main')
  await expect(main.getByText('見てくださってありがとう。')).toBeVisible()

  // Events during a network gap are not received; the page reads again afterwards.
  network.cut()
  await comment('トンネルのあいだの一言。')
  await api(author, 'DELETE', `/posts/${post}/like`)
  const back = joined('private-post.')
  network.restore()
  await back()
  await expect(main.getByText('トンネルのあいだの一言。')).toBeVisible()
  await expect(page.getByRole('button', { name: 'いいね', exact: true }).first()).toBeVisible()

  // Home does not change; a pill announces new posts.
  const home = joined('private-person.')
  await page.goto(network.url)
  await home()
  await expect(page.getByRole('article').getByText('きょうの灯りです。')).toBeVisible()
  await write('あたらしい灯りです。')
  await page.getByRole('button', { name: '新しい投稿' }).click()
  await expect(page.getByRole('article').getByText('あたらしい灯りです。')).toBeVisible()

  // A session ended on another device ends here at once.
  const { sessions } = (await api(reader, 'GET', '/auth/sessions')) as {
    sessions: { id: string; current: boolean }[]
  }
  expect(sessions.length).toBeGreaterThan(1)
  await api(reader, 'DELETE', '/auth/sessions')
  await expect(page).toHaveURL(/\/login/)
})
