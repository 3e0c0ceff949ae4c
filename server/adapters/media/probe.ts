// Probes from inside a media process what it can reach.
import { readFile, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import type { ProbeTask } from './task.ts'

/** Timeout of a connection, ms. */
const TIMEOUT = 2000

const succeeds = (it: Promise<unknown>): Promise<boolean> =>
  it.then(
    () => true,
    () => false,
  )

function connects(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', timeout: TIMEOUT })
    const end = (it: boolean) => {
      socket.destroy()
      resolve(it)
    }
    socket.once('connect', () => end(true)).once('error', () => end(false))
    socket.once('timeout', () => end(false))
  })
}

/** Copies the input to the output, and tries everything that the sandbox must prevent. */
export async function probe({ input, output, planted, port }: ProbeTask): Promise<object> {
  await writeFile(`${output}/file`, await readFile(input))
  return {
    is: 'probed',
    readsOthers: await succeeds(readFile(planted)),
    changesInput: await succeeds(writeFile(input, 'changed')),
    connects: await connects(port),
    environment: Object.keys(process.env),
  }
}
