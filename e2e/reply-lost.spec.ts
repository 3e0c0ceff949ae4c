// The server executes a request, and the phone does not receive the reply.
import { expectPublishedOnce, sendPart, waitUntilDelivered } from './rig/posting/delivery.ts'
import { press, write } from './rig/posting/editor.ts'
import { creator, signInByCookie } from './rig/people/people.ts'
import { waitForPost, postsWithText } from './rig/posting/posts.ts'
import { expect, test } from './rig/story.ts'

test(
  'the answer to /post/add is lost: the video is posted once',
  { tag: '@deep' },
  async ({ server, network, phone, largeVideo }) => {
    const it = { server, network, phone, largeVideo }
    network.dropReplyTo('POST /api/post/add')
    await sendPart(it, '返事がなくても届く')
    await expectPublishedOnce(it, '返事がなくても届く')
    expect(network.droppedReplies).toBe(1)
  },
)

test('the answer to the release is lost: the text is posted once', async ({ server, network, phone }) => {
  const content = '公開の返事がなくても届く'
  await signInByCookie(phone.page, network.url, creator)
  await write(phone.page, network.url, { content })
  network.dropReplyTo('POST /api/post/release-uploaded/')
  await press(phone.page, network.url)
  await waitForPost(server.url, content)
  await waitUntilDelivered({ phone })
  expect(network.droppedReplies).toBe(1)
  await expect.poll(() => postsWithText(server.url, content)).toHaveLength(1)
})
