// Installs the programs that the tests need on this machine.
import { accessSync, constants, globSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import { findChromium } from './chromium.ts'
import { type Machine, type Program, prepare, programs } from './machine.ts'
import { run } from './run.ts'

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK)
    return true
  } catch {
    return false
  }
}

function hasChromium(): boolean {
  try {
    findChromium()
    return true
  } catch {
    // `prepare` installs it.
    return false
  }
}

function has(program: string): boolean {
  if (program === 'chromium') return hasChromium()
  if (isAbsolute(program)) return process.env['PROGRAMS'] !== 'path' && globSync(program).length > 0
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => isReadable(join(folder, program)))
}

const localMachine: Machine = {
  has: (...names) => names.some(has),
  apt: process.getuid?.() === 0 && has('apt-get'),
  run: async (...command) => {
    const { code } = await run(command, { loud: true, env: { DEBIAN_FRONTEND: 'noninteractive' } })
    return code
  },
  log: (sentence) => console.log(sentence),
}

/** Programs that this machine does not have. */
export const missingPrograms = (): Program[] => programs.filter((it) => !it.isInstalled(localMachine))

/** Runs `prepare` on this machine. */
export const prepareLocalMachine = (all: boolean): Promise<boolean> => prepare(localMachine, all)
