// The viewer at a start, after replies, without network, and at signing in and out.
import { describe, expect, test } from 'vitest'
import { nextTask } from '#contract/testing/next-task.ts'
import { asa, user, world } from './testing/viewer-world.ts'

describe('at start', () => {
  test('the viewer is loading until the session was checked', async () => {
    const { viewer } = world({})
    expect(viewer.get()).toEqual({ is: 'loading' })
    expect(await viewer.checked()).toEqual({ is: 'unauthenticated' })
  })
  test('the token of the cookie is checked, and the session is stored for the worker', async () => {
    const { viewer, state } = world({ cookie: asa.token, server: { [asa.token]: asa.user } })
    expect(await viewer.checked()).toEqual({ is: 'authenticated', user: asa.user })
    expect(state.device).toEqual(asa)
    expect(state.token).toBe(asa.token)
  })
  test('a person stored on the device is shown before the reply of the server', async () => {
    const { viewer, state, seen } = world({
      cookie: asa.token,
      device: asa,
      server: { [asa.token]: user('asa 改名') },
    })
    await viewer.refresh()
    expect(seen).toEqual([
      { is: 'authenticated', user: asa.user },
      { is: 'authenticated', user: user('asa 改名') },
    ])
    expect(state.device?.user.name).toBe('asa 改名')
  })
  test('the device’s session opens a page while the server is slow', async () => {
    const { viewer, state } = world({ cookie: asa.token, device: asa, server: {} })
    state.answering = new Promise(() => undefined)
    expect(await viewer.fromDevice()).toEqual({ is: 'authenticated', user: asa.user })
  })
  test('without a stored session the page waits for the server', async () => {
    const { viewer } = world({ cookie: asa.token, server: { [asa.token]: asa.user } })
    expect(await viewer.fromDevice()).toEqual({ is: 'authenticated', user: asa.user })
    expect(await world({ cookie: asa.token, server: {} }).viewer.fromDevice()).toEqual({
      is: 'unauthenticated',
    })
  })
  test('a lost cookie is restored from the device', async () => {
    const { viewer, state } = world({ device: asa, server: { [asa.token]: asa.user } })
    await viewer.refresh()
    expect(viewer.get()).toEqual({ is: 'authenticated', user: asa.user })
    expect(state.cookie).toBe(asa.token)
  })
  test('without a network the last known person stays', async () => {
    const { viewer, state } = world({ cookie: asa.token, device: asa, reachable: false })
    await viewer.refresh()
    expect(viewer.get()).toEqual({ is: 'authenticated', user: asa.user })
    expect(state.cookie).toBe(asa.token)
  })
  test('without a network an unknown token counts as signed out until it is checked', async () => {
    const { viewer, state } = world({
      cookie: asa.token,
      server: { [asa.token]: asa.user },
      reachable: false,
    })
    expect(await viewer.checked()).toEqual({ is: 'unauthenticated' })
    expect(state.cookie).toBe(asa.token)
    state.reachable = true
    await viewer.refresh()
    expect(viewer.get()).toEqual({ is: 'authenticated', user: asa.user })
  })
  test('a device without storage still allows a session', async () => {
    const { viewer } = world({ cookie: asa.token, server: { [asa.token]: asa.user }, deviceBroken: true })
    expect(await viewer.checked()).toEqual({ is: 'authenticated', user: asa.user })
  })
})

describe('get-session', () => {
  test('that refuses the token clears session and token', async () => {
    const { viewer, state } = world({ cookie: asa.token, device: asa })
    await viewer.refresh()
    expect(viewer.get()).toEqual({ is: 'unauthenticated' })
    expect(state).toMatchObject({ cookie: undefined, device: undefined, token: undefined, purged: [] })
  })
  test('called twice at once is requested once', async () => {
    const { viewer, state } = world({ cookie: asa.token, server: { [asa.token]: asa.user } })
    await Promise.all([viewer.refresh(), viewer.refresh()])
    expect(state.requests).toEqual([asa.token])
  })
  test('called after a change waits for the earlier request and is then requested again', async () => {
    const { viewer, state } = world({ cookie: asa.token, server: { [asa.token]: asa.user } })
    let answer: () => void = () => undefined
    state.answering = new Promise<void>((resolve) => (answer = resolve))
    const before = viewer.refresh()
    await expect.poll(() => state.requests).toEqual([asa.token])
    const after = [viewer.refreshNow(), viewer.refreshNow()]
    answer()
    await before
    state.server[asa.token] = user('asa 改名')
    await Promise.all(after)
    expect(viewer.get()).toEqual({ is: 'authenticated', user: user('asa 改名') })
    expect(state.requests).toHaveLength(2)
  })
  test('requested by another tab updates this one without a request', async () => {
    const { viewer, state } = world({ cookie: asa.token, device: asa, server: { [asa.token]: asa.user } })
    await viewer.refresh()
    state.device = { token: asa.token, user: user('asa 改名') }
    await viewer.deviceChanged()
    expect(viewer.get()).toEqual({ is: 'authenticated', user: user('asa 改名') })
    expect(state.requests).toHaveLength(1)
  })
  test('without a change writes nothing', async () => {
    const { viewer, state, seen } = world({
      cookie: asa.token,
      device: asa,
      server: { [asa.token]: asa.user },
    })
    await viewer.refresh()
    await viewer.refresh()
    expect(state.saves).toBe(0)
    expect(seen).toHaveLength(1)
  })
})

describe('signing in', () => {
  test('stores the token in the cookie and on the device', async () => {
    const { viewer, state } = world({})
    await viewer.checked()
    expect(await viewer.signedIn(asa)).toBe(true)
    expect(viewer.get()).toEqual({ is: 'authenticated', user: asa.user })
    expect(state).toMatchObject({ cookie: asa.token, device: asa, token: asa.token })
  })
  test.each([undefined, null, 7, '', {}])(
    'with the token %j is logged and signs no one in',
    async (token) => {
      const { viewer, state } = world({})
      await viewer.checked()
      expect(await viewer.signedIn({ token, user: asa.user })).toBe(false)
      expect(viewer.get()).toEqual({ is: 'unauthenticated' })
      expect(state.cookie).toBeUndefined()
      expect(state.log).toEqual(['sign-in: the token is not a string'])
    },
  )
})

describe('signing out', () => {
  test('ends the session on the server and here', async () => {
    const { viewer, state } = world({ cookie: asa.token, device: asa, server: { [asa.token]: asa.user } })
    await viewer.refresh()
    await viewer.signOut()
    expect(viewer.get()).toEqual({ is: 'unauthenticated' })
    expect(state).toMatchObject({ cookie: undefined, device: undefined, server: {}, purged: ['asa'] })
  })
  test('is not undone by a reply to an earlier request', async () => {
    const { viewer, state, seen } = world({ cookie: asa.token, device: asa, server: {} })
    state.server[asa.token] = user('asa 改名')
    let answer: () => void = () => undefined
    state.answering = new Promise<void>((resolve) => (answer = resolve))
    const refreshing = viewer.refresh()
    await expect.poll(() => state.requests).toEqual([asa.token])
    // The reply is applied just before the session ends, and waits for the device.
    state.reading = new Promise((resolve) => (state.read = resolve))
    answer()
    await nextTask()
    const ending = viewer.signOut()
    await nextTask()
    state.read()
    await Promise.all([refreshing, ending])
    expect(viewer.get()).toEqual({ is: 'unauthenticated' })
    expect([state.cookie, state.device, state.token]).toEqual([undefined, undefined, undefined])
    expect(seen.at(-1)).toEqual({ is: 'unauthenticated' })
  })
  test('is not undone by a reply that the device is storing', async () => {
    const { viewer, state, seen } = world({ cookie: asa.token, device: asa, server: {} })
    state.server[asa.token] = user('asa 改名')
    const stored = Promise.withResolvers<void>()
    state.saving = stored.promise
    const refreshing = viewer.refresh()
    await expect.poll(() => state.saves).toBe(1)
    const ending = viewer.signOut()
    await expect.poll(() => viewer.get().is).toBe('unauthenticated')
    stored.resolve()
    await Promise.all([refreshing, ending])
    expect(viewer.get()).toEqual({ is: 'unauthenticated' })
    expect([state.cookie, state.device, state.token]).toEqual([undefined, undefined, undefined])
    expect(seen.at(-1)).toEqual({ is: 'unauthenticated' })
  })
  test('lets a refresh wait until the device has deleted its data', async () => {
    const { viewer, state, seen } = world({
      cookie: asa.token,
      device: asa,
      server: { [asa.token]: asa.user },
    })
    await viewer.refresh()
    state.purging = new Promise((resolve) => (state.purgedNow = resolve))
    const ending = viewer.signOut()
    await expect.poll(() => viewer.get().is).toBe('unauthenticated')
    const refreshing = viewer.refresh()
    await nextTask()
    state.purgedNow()
    await Promise.all([ending, refreshing])
    expect(seen.map((it) => it.is)).toEqual(['authenticated', 'unauthenticated'])
  })
  test('works without a network', async () => {
    const { viewer, state } = world({ cookie: asa.token, device: asa, reachable: false })
    await viewer.refresh()
    await viewer.signOut()
    expect(viewer.get()).toEqual({ is: 'unauthenticated' })
    expect(state.cookie).toBeUndefined()
  })
})
