// The viewer with tokens that are exchanged, refused, or changed by another tab.
import { describe, expect, test } from 'vitest'
import { ApiFailure } from '#src/domain/api/api.ts'
import { asa, user, world } from './testing/viewer-world.ts'

describe('a token that is exchanged', () => {
  const day2 = { token: 'asa-day-2', user: asa.user }

  test('is stored on the device and in the cookie, and sent with every further call', async () => {
    const { viewer, state, seen } = world({
      cookie: asa.token,
      device: asa,
      server: { [asa.token]: asa.user },
      exchanged: { [asa.token]: day2.token },
    })
    await viewer.refresh()
    expect(state).toMatchObject({ cookie: day2.token, device: day2, token: day2.token })
    expect(seen).toEqual([{ is: 'authenticated', user: asa.user }])
  })
  test('by another tab is replaced by the new one, and the person stays signed in', async () => {
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
      token: day2.token,
      requests: [asa.token, asa.token, day2.token],
    })
    expect(seen).toHaveLength(1)
  })
  test('is used by a refused call only if it is of the same person', async () => {
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
    expect(state.token).toBe(day2.token)
  })
  test('ends the session when all of the device’s tokens are refused', async () => {
    const { viewer, state } = world({ cookie: asa.token, device: day2 })
    await viewer.refresh()
    expect(viewer.get()).toEqual({ is: 'unauthenticated' })
    expect(state.requests).toEqual([asa.token, day2.token])
    expect(state).toMatchObject({ cookie: undefined, device: undefined, token: undefined })
  })
  test('of a suspended account ends the session', async () => {
    const refusal = new ApiFailure('suspended', 403)
    const { viewer, state } = world({ cookie: asa.token, device: asa, refusal })
    await viewer.refresh()
    expect(viewer.get()).toEqual({ is: 'unauthenticated' })
    expect(state).toMatchObject({ cookie: undefined, device: undefined, token: undefined })
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
  test('that signed in as another person changes the viewer of this tab', async () => {
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
    expect(state.token).toBe(yuu.token)
  })
  test('that saved the same session again causes no request', async () => {
    const { viewer, state } = world({ cookie: asa.token, device: asa, server: { [asa.token]: asa.user } })
    await viewer.refresh()
    state.requests.length = 0
    await viewer.deviceChanged()
    expect(state.requests).toEqual([])
  })
})
