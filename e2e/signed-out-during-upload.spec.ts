// The session ends during an upload: the post waits for its owner and continues.
import { creator, fillSignIn } from './rig/people/people.ts'
import { until } from './rig/network/ports.ts'
import { postsSaying } from './rig/posting/posts.ts'
import { bothRoutes, expect, expectPublishedOnce, publish, resumable, test } from './rig/posting/rows.ts'
import { deepUnless } from './rig/story.ts'

for (const { at, ...requests } of bothRoutes)
  for (const [step, request] of Object.entries(requests))
    test(
      `${at}: ${step} is answered 401 although the session is valid: posted once without an error`,
      deepUnless(at === resumable.at && step === 'send'),
      async ({ ground }) => {
        const { network, film } = ground
        const content = `${at} ${step} 401`
        const body = JSON.stringify({ error: { code: 'unauthenticated' } })
        const before = network.happened
        network.once(request, { is: 'answered', status: 401, body })
        await publish(ground, at, content, film)
        await expectPublishedOnce(ground, content, film)
        expect(network.happened - before).toBe(1)
      },
    )

for (const { at } of bothRoutes)
  test(
    `${at}: the token ends during the video: the rest is sent after the next sign-in`,
    deepUnless(at === resumable.at),
    async ({ ground }) => {
      const { network, phone, server, video } = ground
      const { page } = phone
      const content = `${at} 途中で期限切れ`
      const cookies = await phone.context.cookies(network.url)
      const token = decodeURIComponent(cookies.find((it) => it.name === 'todoke_token')?.value ?? '')
      network.throttle(3_000_000)
      const before = network.sentUp
      await publish(ground, at, content, video)
      await until(
        async () => (network.sentUp - before > video.size * 0.5 ? true : undefined),
        'half of the video',
      )
      const end = await fetch(`${server.url}/api/auth/sign-out`, {
        method: 'POST',
        headers: { authorization: token },
      })
      expect(end.ok).toBe(true)
      // The app requests a sign-in; the post is not published yet.
      await expect(page).toHaveURL(/\/login/)
      expect(await postsSaying(server.url, content)).toEqual([])
      await fillSignIn(page, creator)
      await expect(page).toHaveURL(`${network.url}/`)
      await expectPublishedOnce(ground, content, video)
      // Received bytes were not sent again; a legacy chunk counts only when it is complete.
      const most = at === resumable.at ? video.size * 1.4 : video.size * 2
      expect(network.sentUp - before).toBeLessThan(most)
    },
  )
