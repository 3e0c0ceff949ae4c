// The product on several servers, whose parts are killed, restarted and replaced.
import { createRandom } from '#contract/testing/random.ts'
import { newId } from '#contract/ids.ts'
import { afterDelay } from './rig/moments.ts'
import { openOnBothServers } from './rig/cluster/both-servers.ts'
import { webServers } from './rig/cluster/cluster.ts'
import { runsWhole } from './rig/sample.ts'
import { accessOf, sellPicture } from './rig/cluster/selling.ts'
import { expectPostedOnce, receivingServer, startSending } from './rig/cluster/sending.ts'
import { expect, test } from './rig/cluster/story.ts'
import { temporaryFolder, until } from './rig/network/ports.ts'
import { apiOf } from './rig/people/api.ts'
import { buyPost } from './rig/people/buying.ts'
import { openAs, openConversation, textsOf, write as writeMessage } from './rig/people/conversations.ts'
import { linkIn } from './rig/people/mail.ts'
import { akari, creator, fan, kami, sessionOf, signInByCookie } from './rig/people/people.ts'
import { newPerson, submitSignUp } from './rig/people/sign-up-form.ts'
import { postsWithText, publishTexts } from './rig/posting/posts.ts'
import { makeVideo } from './rig/posting/video.ts'

/** How often the server that receives the video is killed. */
const KILLS = runsWhole ? 20 : 3
/** Size of the video whose server is killed, bytes. */
const SIZE = runsWhole ? 300_000_000 : 24_000_000
/** How long a part of the cluster fails, ms. */
const TROUBLE = runsWhole ? 10_000 : 3000
/** How the primary ends. */
const PRIMARY_END = runsWhole ? 'vanished' : 'killed'
const PRICE = 500
/** How late the replica is, s: more than the story takes to read it after a change. */
const LAG = 120

// The last story leaves a cluster without a replica.
test.describe.configure({ mode: 'serial' })

test('a new person registers, buys a post and writes to its creator, whose device gets a push', async ({
  cluster,
  newPhone,
  pushService,
}) => {
  const { url, mail } = cluster
  const who = newPerson()
  const { page } = await newPhone()
  await submitSignUp(page, url, who)
  const email = await until(
    async () => mail.received.find((it) => it.to?.some(({ address }) => address === who.email)),
    'the email of the registration',
  )
  await page.goto(url + linkIn(email))
  await expect(page).toHaveURL(`${url}/register/completed`)

  const [author, buyer, stranger] = [await apiOf(url, creator), await apiOf(url, who), await apiOf(url, kami)]
  await author.call('PUT', '/push/subscription', pushService.devices[0])
  const postId = await sellPicture(url, '複数のサーバーで売る', PRICE)
  await page.goto(`${url}/post/${postId}`)
  await page.getByRole('link', { name: '購入する' }).click()
  await page.getByRole('button', { name: '申込みを確定する' }).click()
  await page.getByLabel('練習用のカード番号').fill('4111 1111 1111 1111')
  await page.getByRole('button', { name: '支払う' }).click()
  await expect(page).toHaveURL(`${url}/post/${postId}`)
  await expect(page.getByRole('main').getByText('複数のサーバーで売る')).toBeVisible()
  const access = async () => [await accessOf(buyer, postId), await accessOf(stranger, postId)]
  await expect.poll(access).toEqual(['full', 'preview'])
  // Settled: the push that has arrived.
  expect(await pushService.next(0)).toContain('"setting_cd":"buy_post"')

  await openConversation(author, buyer)
  const other = (await newPhone()).page
  await openAs(other, url, creator, buyer.id)
  await openOnBothServers(cluster, [other, page], [author, buyer])
  await writeMessage(page, '買いました')
  await expect(other.getByRole('article').getByText('買いました')).toBeVisible()
  await writeMessage(other, '届いていますか')
  await expect(page.getByRole('article').getByText('届いていますか')).toBeVisible()
  const texts = ['はじめまして', 'こんにちは', '買いました', '届いていますか']
  for (const it of [other, page]) await expect.poll(() => textsOf(it)).toEqual(texts)
  const pushed = pushService.arrived.filter((it) => it.includes('"setting_cd":"buy_post"'))
  expect(pushed).toHaveLength(1)
})

test(
  `a video whose server is killed ${KILLS} times arrives once, with its bytes`,
  { tag: '@deep' },
  async ({ cluster, newPhone }) => {
    const { page } = await newPhone()
    const video = makeVideo(`${temporaryFolder('cluster')}/video.mp4`, SIZE, 77)
    const content = '何度落ちても届く'
    await startSending(cluster, page, { content, video, seconds: KILLS * 4 })
    const { below } = createRandom(2026)
    for (let kill = 0; kill < KILLS; kill++) {
      const name = await receivingServer(cluster)
      await afterDelay(below(1000))
      await cluster.kill(name)
      await cluster.launch(name)
    }
    await expectPostedOnce(cluster, page, content, video)
  },
)

test(
  'a video passes an object store that fails, and then is slow',
  { tag: '@deep' },
  async ({ cluster, newPhone }) => {
    const { store } = cluster
    const { page } = await newPhone()
    const video = makeVideo(`${temporaryFolder('cluster')}/video.mp4`, 12_000_000, 78)
    const content = '保存先が止まっても届く'
    await startSending(cluster, page, { content, video, seconds: 6 })
    await receivingServer(cluster)
    store.refuse(Number.POSITIVE_INFINITY)
    await afterDelay(TROUBLE)
    store.refuse(0)
    store.delay(1500)
    await afterDelay(TROUBLE)
    store.delay(0)
    await expectPostedOnce(cluster, page, content, video)
  },
)

test('a restarted Redis loses no message and no upload', { tag: '@deep' }, async ({ cluster, newPhone }) => {
  const { url, redis } = cluster
  const [reader, writer] = [await apiOf(url, fan), await apiOf(url, akari)]
  await openConversation(reader, writer)
  const { page } = await newPhone()
  const other = (await newPhone()).page
  await openAs(page, url, fan, writer.id)
  await openAs(other, url, akari, reader.id)
  await openOnBothServers(cluster, [page, other], [reader, writer])
  const third = await newPhone()
  const video = makeVideo(`${temporaryFolder('cluster')}/video.mp4`, 12_000_000, 79)
  const content = '錠の置き場がなくなっても届く'
  await startSending(cluster, third.page, { content, video, seconds: 8 })
  await receivingServer(cluster)
  await redis.kill()
  await writeMessage(other, 'いま届きますか')
  // The reader may be on the same server, which needs no Redis.
  const sent = other.getByRole('article').filter({ hasText: 'いま届きますか' })
  await expect(sent.getByText(/^(送信済み|既読)$/)).toBeVisible()
  await afterDelay(TROUBLE)
  await redis.start()
  await expect(page.getByRole('article').getByText('いま届きますか')).toBeVisible()
  await writeMessage(other, 'もう一度')
  await expect(page.getByRole('article').getByText('もう一度')).toBeVisible()
  const texts = ['はじめまして', 'こんにちは', 'いま届きますか', 'もう一度']
  await expect.poll(() => textsOf(page)).toEqual(texts)
  await expectPostedOnce(cluster, third.page, content, video)
})

/** Runs in the page: the texts of the posts of its feed. */
async function textsOfFeed(token: string): Promise<string[]> {
  const headers = { authorization: `Bearer ${token}` }
  const reply = await fetch('/api/feed/following', { headers })
  const { posts } = (await reply.json()) as { posts: { access: { is: string; content?: string } }[] }
  return posts.flatMap(({ access }) => access.content ?? [])
}

test(`a replica that is ${LAG} s late opens nothing that was closed, and each person reads what they did`, async ({
  cluster,
  newPhone,
}) => {
  const { url, postgres } = cluster
  const { page } = await newPhone()
  const [author, reader] = [await apiOf(url, creator), await apiOf(url, fan)]
  await reader.call('PUT', `/follows/${author.id}`)
  const [open, priced] = ['開いたままの投稿', '値段がついた投稿']
  await publishTexts(url, creator, open, priced)
  await signInByCookie(page, url, fan)
  await page.goto(`${url}/profile/${author.id}`)
  const { token } = await sessionOf(url, fan)
  const seen = async () =>
    (await page.evaluate(textsOfFeed, token)).filter((it) => [open, priced].includes(it))
  const onReplica = () =>
    Promise.all(webServers.map((it) => cluster.metric(it, 'todoke_replica_reads_total{kind="replica"}')))
  const sum = async () => (await onReplica()).reduce((a, b) => a + b)
  const before = await sum()
  await expect(async () => {
    expect(await seen()).toEqual([priced, open])
    expect(await sum()).toBeGreaterThan(before)
  }).toPass()

  await postgres.delay(LAG)
  const [post] = await postsWithText(url, priced)
  await author.call('PATCH', `/posts/${post?.id}`, { audience: { type: 3, price: PRICE } })
  // Settled: the change is answered, and from then on no reader may see the post.
  expect(await seen()).toEqual([open])
  // Settled: the replica shows the change later than this.
  expect(await postgres.onReplica(`select type from posts where id = '${post?.id}'`)).toEqual([{ type: 1 }])

  const name = `${author.name}さんのフォローを解除`
  await page.getByRole('button', { name }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'フォローを解除' }).click()
  const follows = `select 1 from follows where follower_id = '${reader.id}' and followed_id = '${author.id}'`
  await expect.poll(() => postgres.sql(follows)).toEqual([])
  // Settled: the person has done it, and reads it at once. The replica shows it later.
  expect([await postgres.onReplica(follows), await seen()]).toEqual([[expect.anything()], []])
  await postgres.delay(0)
})

test(
  'a replica that is promoted has every write that was answered, and no one reads more',
  { tag: '@deep' },
  async ({ cluster, newPhone }) => {
    const { url, postgres } = cluster
    const [buyer, stranger] = [await apiOf(url, fan), await apiOf(url, kami)]
    const postId = await sellPicture(url, '切り替わる前に売れた', PRICE)
    await buyPost(url, buyer, postId, PRICE)
    const { page } = await newPhone()
    const video = makeVideo(`${temporaryFolder('cluster')}/video.mp4`, 12_000_000, 80)
    const content = 'データベースが切り替わっても届く'
    await startSending(cluster, page, { content, video, seconds: 8 })
    await receivingServer(cluster)

    const [answered, over] = [new Set<string>(), new AbortController()]
    const comments = (async () => {
      for (let n = 1; !over.signal.aborted; n++) {
        const id = newId()
        const body = { id, content: `${n}件目`, parent_id: null, answers_id: null }
        const reply = (await buyer
          .call('POST', `/posts/${postId}/comments`, body)
          .catch(() => ({}))) as object
        if ('id' in reply) answered.add(id)
      }
    })()
    const more = (count: number) => expect.poll(() => answered.size).toBeGreaterThan(count)
    await more(5)
    await postgres.failOver(PRIMARY_END)
    await more(answered.size + 5)
    over.abort()
    await comments
    const rows = await postgres.sql(`select id from comments where post_id = '${postId}'`)
    const stored = new Set(rows.map(({ id }) => String(id)))
    expect([...answered].filter((id) => !stored.has(id))).toEqual([])
    // Settled: the promoted database has answered since, and its posts do not change.
    expect([await accessOf(buyer, postId), await accessOf(stranger, postId)]).toEqual(['full', 'preview'])
    const later = await sellPicture(url, '切り替わった後に売れた', PRICE)
    await buyPost(url, stranger, later, PRICE)
    const access = async () => [await accessOf(buyer, later), await accessOf(stranger, later)]
    await expect.poll(access).toEqual(['preview', 'full'])
    await expectPostedOnce(cluster, page, content, video)
  },
)
