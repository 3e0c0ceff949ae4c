// Shows the browser's notifications as a desktop does, and presses them with user activation.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { until } from '#e2e/rig/network/ports.ts'
import { program } from '#e2e/rig/network/programs.ts'
import { defined } from '#contract/testing/defined.ts'

interface ShownNotification {
  readonly id: number
  readonly title: string
  readonly body: string
  /** The name and the label of each action, alternately. */
  readonly actions: readonly string[]
}

const busProgram = () => program('DBUS_DAEMON_PATH', ['dbus-daemon'])
const gjsProgram = () => program('GJS_PATH', ['gjs'])

/** Whether the programs of the desktop are installed. */
export const isDesktopInstalled = (): boolean => Boolean(busProgram() && gjsProgram())

export class Desktop {
  readonly shown: ShownNotification[] = []
  /** Ids of the notifications that the browser closed itself. */
  readonly closed: number[] = []
  readonly #children: readonly ChildProcess[]
  readonly #before = process.env['DBUS_SESSION_BUS_ADDRESS']

  private constructor(children: readonly ChildProcess[]) {
    this.#children = children
  }

  /** Starts a desktop: browsers started after this show their notifications on it. */
  static async start(): Promise<Desktop> {
    const bus = spawn(defined(busProgram()), ['--session', '--nofork', '--print-address'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const [address] = (await once(createInterface(bus.stdout), 'line')) as [string]
    // gjs prints in the encoding of the locale: `C` would make question marks of Japanese.
    const env = { ...process.env, DBUS_SESSION_BUS_ADDRESS: address, LC_ALL: 'C.UTF-8' }
    const gjs = spawn(defined(gjsProgram()), ['-m', join(import.meta.dirname, 'notifications.gjs')], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env,
    })
    const desktop = new Desktop([gjs, bus])
    let ready = false
    createInterface(gjs.stdout).on('line', (line) => {
      const it = JSON.parse(line) as { is: string } & ShownNotification
      if (it.is === 'ready') ready = true
      if (it.is === 'shown') desktop.shown.push(it)
      if (it.is === 'closed') desktop.closed.push(it.id)
    })
    await until(async () => ready || undefined, 'the desktop')
    process.env['DBUS_SESSION_BUS_ADDRESS'] = address
    return desktop
  }

  /** Waits for the notification with this index. */
  next(index: number): Promise<ShownNotification> {
    return until(async () => this.shown[index], 'a notification on the desktop')
  }

  /** Presses a notification. @param label of a button; without one the notification itself is pressed */
  press(it: ShownNotification, label?: string): void {
    const at = label === undefined ? it.actions.indexOf('default') : it.actions.indexOf(label) - 1
    const action = it.actions[at]
    if (at < 0 || action === undefined) throw new Error(`no button ${label} among ${it.actions.join(' ')}`)
    this.#send(`press ${it.id} ${action}`)
  }

  /** Answers in the field of a notification. */
  reply(it: ShownNotification, text: string): void {
    if (!it.actions.includes('inline-reply')) throw new Error(`no field among ${it.actions.join(' ')}`)
    this.#send(`reply ${it.id} ${text}`)
  }

  dismiss(it: ShownNotification): void {
    this.#send(`dismiss ${it.id}`)
  }

  #send(line: string): void {
    this.#children[0]?.stdin?.write(`${line}\n`)
  }

  stop(): void {
    if (this.#before === undefined) delete process.env['DBUS_SESSION_BUS_ADDRESS']
    else process.env['DBUS_SESSION_BUS_ADDRESS'] = this.#before
    for (const child of this.#children) child.kill()
  }
}
