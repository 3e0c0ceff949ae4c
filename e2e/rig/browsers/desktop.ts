// Shows the browser's notifications as a desktop does, and presses them with user activation.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { until } from '#e2e/rig/network/ports.ts'
import { program } from '#e2e/rig/network/programs.ts'

interface Shown {
  readonly id: number
  readonly title: string
  readonly body: string
  /** Names and labels in turn. */
  readonly actions: readonly string[]
}

const busProgram = () => program('DBUS_DAEMON_PATH', ['dbus-daemon'])
const showerProgram = () => program('GJS_PATH', ['gjs'])

/** Whether all that this needs is installed. */
export const desktopIsThere = (): boolean => Boolean(busProgram() && showerProgram())

export class Desktop {
  readonly shown: Shown[] = []
  /** What the browser took away itself, by id. */
  readonly closed: number[] = []
  readonly #children: readonly ChildProcess[]
  readonly #before = process.env['DBUS_SESSION_BUS_ADDRESS']

  private constructor(children: readonly ChildProcess[]) {
    this.#children = children
  }

  /** Browsers that are started from now on show their notifications here. */
  static async start(): Promise<Desktop> {
    const bus = spawn(busProgram() ?? '', ['--session', '--nofork', '--print-address'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const [address] = (await once(createInterface(bus.stdout), 'line')) as [string]
    const env = { ...process.env, DBUS_SESSION_BUS_ADDRESS: address }
    const shower = spawn(showerProgram() ?? '', ['-m', join(import.meta.dirname, 'notifications.gjs')], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env,
    })
    const desktop = new Desktop([shower, bus])
    let ready = false
    createInterface(shower.stdout).on('line', (line) => {
      const it = JSON.parse(line) as { is: string } & Shown
      if (it.is === 'ready') ready = true
      if (it.is === 'shown') desktop.shown.push(it)
      if (it.is === 'closed') desktop.closed.push(it.id)
    })
    await until(async () => ready || undefined, 'the desktop')
    process.env['DBUS_SESSION_BUS_ADDRESS'] = address
    return desktop
  }

  /** The next notification after these many. */
  next(count: number): Promise<Shown> {
    return until(async () => this.shown[count], 'a notification on the desktop')
  }

  /** @param label of a button; without one the notification itself is pressed */
  press(it: Shown, label?: string): void {
    const at = label === undefined ? it.actions.indexOf('default') : it.actions.indexOf(label) - 1
    const action = it.actions[at]
    if (at < 0 || action === undefined) throw new Error(`no ${label} among ${it.actions.join(' ')}`)
    this.#say(`press ${it.id} ${action}`)
  }

  dismiss(it: Shown): void {
    this.#say(`dismiss ${it.id}`)
  }

  #say(line: string): void {
    this.#children[0]?.stdin?.write(`${line}\n`)
  }

  stop(): void {
    if (this.#before === undefined) delete process.env['DBUS_SESSION_BUS_ADDRESS']
    else process.env['DBUS_SESSION_BUS_ADDRESS'] = this.#before
    for (const child of this.#children) child.kill()
  }
}
