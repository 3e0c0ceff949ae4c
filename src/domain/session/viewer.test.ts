// Who is looking: what the page knows at start, after answers, without a network, and after signing in and out.
import { describe, expect, test } from 'vitest'
import { asa, user, world } from './testing/viewer-world.ts'

describe('at start', () => {
  test('nobody is known until it is known', async () => {
    const { viewer } = world({})
    expect(viewer.get()).toEqual({ is: 'loading' })
    expect(await viewer.settled()).toEqual({ is: 'unauthenticated' })
  })
  test('a token in the cookie is asked about, and the device keeps who it is for the worker', async () => {
    const { viewer, state } = world({ cookie: asa.token, server: { [asa.token]: asa.user } })
    expect(await viewer.settled()).toEqual({ is: 'authenticated', user: asa.user })
    expect(state.device).toEqual(asa)
    expect(state.spoken).toBe(asa.token)
  })
  test('a person the device knows is shown before the server has answered', async () => {
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
  test('a person the device knows goes in by that, however long the server takes', async () => {
    const { viewer, state } = world({ cookie: asa.token, device: asa, server: {} })
    state.answering = new Promise(() => undefined)
    expect(await viewer.known()).toEqual({ is: 'authenticated', user: asa.user })
  })
  test('for anybody else the server is waited for', async () => {
    const { viewer } = world({ cookie: asa.token, server: { [asa.token]: asa.user } })
    expect(await viewer.known()).toEqual({ is: 'authenticated', user: asa.user })
    expect(await world({ cookie: asa.token, server: {} }).viewer.known()).toEqual({ is: 'unauthenticated' })
  })
  test('a cookie the browser dropped comes back from the device', async () => {
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
  test('without a network an unknown token is nobody, until it can be asked about', async () => {
    const { viewer, state } = world({
      cookie: asa.token,
      server: { [asa.token]: asa.user },
      reachable: false,
    })
    expect(await viewer.settled()).toEqual({ is: 'unauthenticated' })
    expect(state.cookie).toBe(asa.token)
    state.reachable = true
    await viewer.refresh()
    expect(viewer.get()).toEqual({ is: 'authenticated', user: asa.user })
  })
  test('a device that cannot remember still lets a person in', async () => {
    const { viewer } = world({ cookie: asa.token, server: { [asa.token]: asa.user }, deviceBroken: true })
    expect(await viewer.settled()).toEqual({ is: 'authenticated', user: asa.user })
  })
})

describe('get-session', () => {
  test('that refuses the token clears session and token', async () => {
    const { viewer, state } = world({ cookie: asa.token, device: asa })
    await viewer.refresh()
    expect(viewer.get()).toEqual({ is: 'unauthenticated' })
    expect(state).toMatchObject({ cookie: undefined, device: undefined, spoken: undefined, purged: [] })
  })
  test('asked twice at once is asked once', async () => {
    const { viewer, state } = world({ cookie: asa.token, server: { [asa.token]: asa.user } })
    await Promise.all([viewer.refresh(), viewer.refresh()])
    expect(state.asks).toEqual([asa.token])
  })
  test('asked anew after a change waits for the answer that was asked for before, and is asked again', async () => {
    const { viewer, state } = world({ cookie: asa.token, server: { [asa.token]: asa.user } })
    let answer: () => void = () => undefined
    state.answering = new Promise<void>((resolve) => (answer = resolve))
    const before = viewer.refresh()
    await expect.poll(() => state.asks).toEqual([asa.token])
    const after = [viewer.refreshNow(), viewer.refreshNow()]
    answer()
    await before
    state.server[asa.token] = user('asa 改名')
    await Promise.all(after)
    expect(viewer.get()).toEqual({ is: 'authenticated', user: user('asa 改名') })
    expect(state.asks).toHaveLength(2)
  })
  test('heard by another tab is believed in this one without being asked', async () => {
    const { viewer, state } = world({ cookie: asa.token, device: asa, server: { [asa.token]: asa.user } })
    await viewer.refresh()
    state.device = { token: asa.token, user: user('asa 改名') }
    await viewer.deviceChanged()
    expect(viewer.get()).toEqual({ is: 'authenticated', user: user('asa 改名') })
    expect(state.asks).toHaveLength(1)
  })
  test('that says nothing new writes nothing', async () => {
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
  test('keeps the token in the cookie and on the device', async () => {
    const { viewer, state } = world({})
    await viewer.settled()
    expect(await viewer.signedIn(asa)).toBe(true)
    expect(viewer.get()).toEqual({ is: 'authenticated', user: asa.user })
    expect(state).toMatchObject({ cookie: asa.token, device: asa, spoken: asa.token })
  })
  test.each([undefined, null, 7, '', {}])('with the token %j is logged and lets nobody in', async (token) => {
    const { viewer, state } = world({})
    await viewer.settled()
    expect(await viewer.signedIn({ token, user: asa.user })).toBe(false)
    expect(viewer.get()).toEqual({ is: 'unauthenticated' })
    expect(state.cookie).toBeUndefined()
    expect(state.log).toEqual(['sign-in: the token is not a string'])
  })
})

describe('signing out', () => {
  test('ends the session on the server and here', async () => {
    const { viewer, state } = world({ cookie: asa.token, device: asa, server: { [asa.token]: asa.user } })
    await viewer.refresh()
    await viewer.signOut()
    expect(viewer.get()).toEqual({ is: 'unauthenticated' })
    expect(state).toMatchObject({ cookie: undefined, device: undefined, server: {}, purged: ['asa'] })
  })
  test('is not undone by an answer that was under way', async () => {
    const { viewer, state, seen } = world({ cookie: asa.token, device: asa, server: {} })
    state.server[asa.token] = user('asa 改名')
    let answer: () => void = () => undefined
    state.answering = new Promise<void>((resolve) => (answer = resolve))
    const asking = viewer.refresh()
    await expect.poll(() => state.asks).toEqual([asa.token])
    // The answer is taken in just before the session ends, and waits for the device.
    state.reading = new Promise((resolve) => (state.read = resolve))
    answer()
    await new Promise((done) => setTimeout(done))
    const ending = viewer.signOut()
    await new Promise((done) => setTimeout(done))
    state.read()
    await Promise.all([asking, ending])
    expect(viewer.get()).toEqual({ is: 'unauthenticated' })
    expect([state.cookie, state.device, state.spoken]).toEqual([undefined, undefined, undefined])
    expect(seen.at(-1)).toEqual({ is: 'unauthenticated' })
  })
  test('is not undone by an answer that the device is storing', async () => {
    const { viewer, state, seen } = world({ cookie: asa.token, device: asa, server: {} })
    state.server[asa.token] = user('asa 改名')
    const stored = Promise.withResolvers<void>()
    state.saving = stored.promise
    const asking = viewer.refresh()
    await expect.poll(() => state.saves).toBe(1)
    const ending = viewer.signOut()
    await expect.poll(() => viewer.get().is).toBe('unauthenticated')
    stored.resolve()
    await Promise.all([asking, ending])
    expect(viewer.get()).toEqual({ is: 'unauthenticated' })
    expect([state.cookie, state.device, state.spoken]).toEqual([undefined, undefined, undefined])
    expect(seen.at(-1)).toEqual({ is: 'unauthenticated' })
  })
  test('asked anew in the middle of it, the page waits until the device has forgotten', async () => {
    const { viewer, state, seen } = world({
      cookie: asa.token,
      device: asa,
      server: { [asa.token]: asa.user },
    })
    await viewer.refresh()
    state.purging = new Promise((resolve) => (state.purgedNow = resolve))
    const ending = viewer.signOut()
    await expect.poll(() => viewer.get().is).toBe('unauthenticated')
    const asking = viewer.refresh()
    await new Promise((done) => setTimeout(done))
    state.purgedNow()
    await Promise.all([ending, asking])
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
