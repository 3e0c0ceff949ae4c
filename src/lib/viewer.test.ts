// Who is looking: what the page knows at start, after answers, without a network, and with other tabs.
import { describe, expect, test } from 'vitest'
import type { SessionUser } from '#contract/session.ts'
import { ApiFailure } from './api.ts'
import { createViewer, type Viewer } from './viewer.ts'

const user = (name: string): SessionUser => ({
  id: '01a1fdae-0f09-7f2d-b590-7c3e03896ff8',
  email: `${name}@todoke.example`,
  name,
  avatar_url: null,
})
const asa = { token: 'asa-token', user: user('asa') }
const refused = new ApiFailure('unauthenticated', 401)
const offline = new ApiFailure('offline', 0)

interface Start {
  cookie?: string
  device?: { token: string; user: SessionUser }
  server?: Record<string, SessionUser>
  reachable?: boolean
  deviceBroken?: boolean
  refusal?: ApiFailure
  /** Old token → the one get-session gives for it. */
  exchanged?: Record<string, string>
}

function world(start: Start) {
  const state = {
    cookie: start.cookie,
    device: start.device,
    server: { ...start.server } as Record<string, SessionUser>,
    reachable: start.reachable ?? true,
    spoken: undefined as string | undefined,
    saves: 0,
    purged: [] as string[],
    asks: [] as string[],
    log: [] as string[],
  }
  const seen: Viewer[] = []
  const viewer = createViewer({
    ask: async (token) => {
      state.asks.push(token)
      if (!state.reachable) throw offline
      const found = state.server[token]
      if (!found) throw start.refusal ?? refused
      return { user: found, token: start.exchanged?.[token] }
    },
    leave: async () => {
      if (!state.reachable) throw offline
      delete state.server[state.spoken ?? '']
    },
    speak: (token) => (state.spoken = token),
    cookie: {
      read: () => state.cookie,
      write: (token) => (state.cookie = token),
      renew: () => {},
      clear: () => (state.cookie = undefined),
    },
    device: {
      read: async () => {
        if (start.deviceBroken) throw new Error('no database here')
        return state.device
      },
      save: async (kept) => {
        if (start.deviceBroken) throw new Error('no database here')
        state.saves++
        state.device = kept
      },
      clear: async (token) => {
        if (token === undefined || state.device?.token === token) state.device = undefined
      },
      purge: async (leaving) => {
        state.device = undefined
        state.purged.push(leaving.name)
      },
    },
    now: () => 0,
    log: (sentence) => state.log.push(sentence),
  })
  viewer.subscribe(() => seen.push(viewer.get()))
  return { viewer, state, seen }
}

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

describe('a token that is exchanged', () => {
  const day2 = { token: 'asa-day-2', user: asa.user }

  test('is on the device, in the cookie and on every call from then on', async () => {
    const { viewer, state, seen } = world({
      cookie: asa.token,
      device: asa,
      server: { [asa.token]: asa.user },
      exchanged: { [asa.token]: day2.token },
    })
    await viewer.refresh()
    expect(state).toMatchObject({ cookie: day2.token, device: day2, spoken: day2.token })
    expect(seen).toEqual([{ is: 'authenticated', user: asa.user }])
  })
  test('by another tab, and refused here: this page goes on with the new one and nobody is signed out', async () => {
    const { viewer, state, seen } = world({
      cookie: asa.token,
      device: asa,
      server: { [asa.token]: asa.user },
    })
    await viewer.refresh()
    Object.assign(state, { cookie: asa.token, device: day2, server: { [day2.token]: day2.user } })
    await viewer.refresh()
    expect(viewer.get()).toEqual({ is: 'authenticated', user: asa.user })
    expect(state).toMatchObject({
      cookie: day2.token,
      device: day2,
      spoken: day2.token,
      asks: [asa.token, asa.token, day2.token],
    })
    expect(seen).toHaveLength(1)
  })
  test('is asked for by a call that was refused: only where it is the same person’s', async () => {
    const { viewer, state } = world({ cookie: asa.token, device: asa, server: { [asa.token]: asa.user } })
    await viewer.refresh()
    expect(await viewer.renewed(asa.token)).toBeUndefined()
    state.device = {
      token: 'yuu-token',
      user: { ...user('yuu'), id: '01a1fdae-0f09-7f2d-b590-7c3e03896ff9' },
    }
    expect(await viewer.renewed(asa.token)).toBeUndefined()
    state.device = day2
    expect(await viewer.renewed(asa.token)).toBe(day2.token)
    expect(state.spoken).toBe(day2.token)
  })
  test('when all of the device’s tokens are refused, the session is over', async () => {
    const { viewer, state } = world({ cookie: asa.token, device: day2 })
    await viewer.refresh()
    expect(viewer.get()).toEqual({ is: 'unauthenticated' })
    expect(state.asks).toEqual([asa.token, day2.token])
    expect(state).toMatchObject({ cookie: undefined, device: undefined, spoken: undefined })
  })
  test('of an account that was shut is over', async () => {
    const refusal = new ApiFailure('suspended', 403)
    const { viewer, state } = world({ cookie: asa.token, device: asa, refusal })
    await viewer.refresh()
    expect(viewer.get()).toEqual({ is: 'unauthenticated' })
    expect(state).toMatchObject({ cookie: undefined, device: undefined, spoken: undefined })
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
  test('works without a network', async () => {
    const { viewer, state } = world({ cookie: asa.token, device: asa, reachable: false })
    await viewer.refresh()
    await viewer.signOut()
    expect(viewer.get()).toEqual({ is: 'unauthenticated' })
    expect(state.cookie).toBeUndefined()
  })
})

describe('another tab', () => {
  test('that signed out signs this one out', async () => {
    const { viewer, state } = world({ cookie: asa.token, device: asa, server: { [asa.token]: asa.user } })
    await viewer.refresh()
    state.cookie = undefined
    state.device = undefined
    await viewer.deviceChanged()
    expect(viewer.get()).toEqual({ is: 'unauthenticated' })
  })
  test('that signed in as somebody else changes who is looking here', async () => {
    const yuu = { token: 'yuu-token', user: user('yuu') }
    const { viewer, state } = world({
      cookie: asa.token,
      device: asa,
      server: { [asa.token]: asa.user, [yuu.token]: yuu.user },
    })
    await viewer.refresh()
    state.cookie = yuu.token
    state.device = yuu
    await viewer.deviceChanged()
    expect(viewer.get()).toEqual({ is: 'authenticated', user: yuu.user })
    expect(state.spoken).toBe(yuu.token)
  })
  test('that saved the same session again causes no question', async () => {
    const { viewer, state } = world({ cookie: asa.token, device: asa, server: { [asa.token]: asa.user } })
    await viewer.refresh()
    state.asks.length = 0
    await viewer.deviceChanged()
    expect(state.asks).toEqual([])
  })
})
