// Live connections of a server that stops soon: closed one after the other.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openRawSocket, type RawSocket } from '#server/testing/clients/raw-socket.ts'
import { openWorld, type World } from '#server/testing/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld({ listen: true })
})
afterAll(() => world.close())

async function connect(): Promise<RawSocket> {
  const socket = await openRawSocket(world)
  if (typeof socket === 'number') throw new Error(`refused with ${socket}`)
  return socket
}

test('each client is requested to reconnect, in turn and not all at once, also one that connects meanwhile', async () => {
  const sockets = [await connect(), await connect(), await connect(), await connect()]
  const order: number[] = []
  let lastAtFirst: number | undefined
  const ends = sockets.map(async ({ closed }, i) => {
    const end = await closed
    if (order.length === 0) lastAtFirst = sockets.at(-1)?.ws.readyState
    order.push(i)
    return end
  })
  world.deps.realtime.sockets?.leave(2000)
  const late = await connect()
  const comeBack = { code: 4200, message: 'Server stops soon' }
  expect(await Promise.all(ends)).toEqual(sockets.map(() => comeBack))
  expect(await late.closed).toEqual(comeBack)
  expect(order).toEqual([0, 1, 2, 3])
  expect(lastAtFirst).toBe(WebSocket.OPEN)
})
