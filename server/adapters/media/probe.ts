// What a media process can reach, found out from inside.
import { readFile, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import type { ProbeTask } from './task.ts'

/** Longest a connection is waited for, ms. */
const PATIENCE = 2000

const works = (it: Promise<unknown>): Promise<boolean> =>
  it.then(
    () => true,
    () => false,
  )

function connects(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', timeout: PATIENCE })
    const end = (it: boolean) => {
      socket.destroy()
      resolve(it)
    }
    socket.once('connect', () => end(true)).once('error', () => end(false))
    socket.once('timeout', () => end(false))
  })
}

/** Copies its input to its output, and tries what it must not be able to do. */
export async function probe({ input, output, planted, port }: ProbeTask): Promise<object> {
  await writeFile(`${output}/file`, await readFile(input))
  return {
    is: 'probed',
    readsOthers: await works(readFile(planted)),
    changesInput: await works(writeFile(input, 'changed')),
    connects: await connects(port),
    environment: Object.keys(process.env),
  }
}
