// The session ends during an upload: the post waits for its owner and continues.
import { defined } from '#contract/testing/defined.ts'
import { waitUntilQueueRests } from './rig/posting/delivery.ts'
import { creator, fillSignIn } from './rig/people/people.ts'
import { until } from './rig/network/ports.ts'
import { postsWithText } from './rig/posting/posts.ts'
import {
  bothProtocols,
  expect,
  expectPublishedOnce,
  publish,
  resumable,
  test,
} from './rig/posting/fault-matrix.ts'
import { deepUnless } from './rig/sample.ts'

for (const { at, ...requests } of bothProtocols)
  for (const [step, request] of Object.entries(requests))
    test(
      `${at}: ${step} is answered 401 although the session is valid: posted once without an error`,
      { tag: '@deep' },
      async ({ matrix }) => {
        const { network, film } = matrix
        const content = `${at} ${step} 401`
        const body = JSON.stringify({ error: { code: 'unauthenticated' } })
        const before = network.faultCount
        network.once(request, { is: 'answered', status: 401, body })
        await publish(matrix, at, content, film)
        await expectPublishedOnce(matrix, content, film)
        expect(network.faultCount - before).toBe(1)
      },
    )

for (const { at } of bothProtocols)
  test(
    `${at}: the token ends during the video: the rest is sent after the next sign-in`,
    deepUnless(at === resumable.at),
    async ({ matrix }) => {
      const { network, phone, server, video } = matrix
      const { page } = phone
      const content = `${at} 途中で期限切れ`
      const cookies = await phone.context.cookies(network.url)
      const token = decodeURIComponent(defined(cookies.find((it) => it.name === 'todoke_token')).value)
      network.throttle(3_000_000)
      const before = network.bytesSent
      await publish(matrix, at, content, video)
      await until(
        async () => (network.bytesSent - before > video.size * 0.5 ? true : undefined),
        'half of the video',
      )
      const end = await fetch(`${server.url}/api/auth/sign-out`, {
        method: 'POST',
        headers: { authorization: token },
      })
      expect(end.ok).toBe(true)
      // The app requests a sign-in; the post is not published yet.
      await expect(page).toHaveURL(/\/login/)
      await waitUntilQueueRests(matrix)
      // Settled: no queue runs on the device, which has not sent all of the video.
      expect(await postsWithText(server.url, content)).toEqual([])
      await fillSignIn(page, creator)
      await expect(page).toHaveURL(`${network.url}/`)
      await expectPublishedOnce(matrix, content, video)
      // Received bytes were not sent again; a legacy chunk counts only when it is complete.
      const most = at === resumable.at ? video.size * 1.4 : video.size * 2
      expect(network.bytesSent - before).toBeLessThan(most)
    },
  )
