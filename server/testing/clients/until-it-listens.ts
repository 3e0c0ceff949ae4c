// Waits for a started program.
import type { ChildProcess } from 'node:child_process'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/**
 * Waits until a program accepts connections on a port of this machine.
 * @param failure what the error says when the program ends instead
 */
export async function untilItListens(
  port: number,
  child: ChildProcess,
  failure: () => string,
): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(failure())
    const socket = connect(port, '127.0.0.1')
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    })
    socket.destroy()
    if (isOpen) return
    await pause(20)
  }
}
