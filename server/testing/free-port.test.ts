// Tests that processes of one machine are given different ports.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { freePort } from './free-port.ts'

const PROCESSES = 8
const PORTS = 60

const file = path.join(import.meta.dirname, 'free-port.ts')
/** Takes ports, prints them, and keeps them until its input ends. */
const taking = `
  const { freePort } = await import(${JSON.stringify(file)})
  const ports = await Promise.all(Array.from({ length: ${PORTS} }, freePort))
  console.log(JSON.stringify(ports))
  process.stdin.resume()
`

function startTaking() {
  const child = spawn(process.execPath, ['--input-type=module', '-e', taking], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ports = once(createInterface(child.stdout), 'line').then(
    ([line]) => JSON.parse(String(line)) as number[],
  )
  return { child, ports }
}

const isOpen = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })

test('processes that take ports at once get different ones, on which nothing listens', async () => {
  const all = Array.from({ length: PROCESSES }, startTaking)
  const ports = (await Promise.all(all.map((it) => it.ports))).flat()
  expect(new Set(ports).size).toBe(PROCESSES * PORTS)
  expect(await Promise.all(ports.slice(0, PORTS).map(isOpen))).not.toContain(true)
  for (const { child } of all) {
    const exited = once(child, 'exit')
    child.stdin.end()
    expect((await exited)[0]).toBe(0)
  }
})

test('a program can listen on its port, and the port is not given again', async () => {
  const port = await freePort()
  const program = createServer().listen(port, '127.0.0.1')
  await once(program, 'listening')
  program.close()
  await once(program, 'close')
  const others = await Promise.all(Array.from({ length: 200 }, freePort))
  expect(others).not.toContain(port)
})

test('the ports of a killed process can be given again', async () => {
  const { child, ports } = startTaking()
  const [port = 0] = await ports
  const lock = () => isOpen(port + 5000)
  expect(await lock()).toBe(true)
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
  expect(await lock()).toBe(false)
})
