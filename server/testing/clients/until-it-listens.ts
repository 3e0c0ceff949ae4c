// Waits for a started program.
import type { ChildProcess } from 'node:child_process'
import { connect } from 'node:net'
import { until } from '#server/testing/until.ts'

/**
 * Waits until a program accepts connections on a port of this machine.
 * @param failure what the error says when the program ends instead
 */
export async function untilItListens(
  port: number,
  child: ChildProcess,
  failure: () => string,
): Promise<void> {
  const state = await until(async () => {
    if (child.exitCode !== null) return 'over'
    const socket = connect(port, '127.0.0.1')
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    })
    socket.destroy()
    return isOpen && 'open'
  }, `a program that listens at ${port}`)
  if (state === 'over') throw new Error(failure())
}
