// Finds the programs of other browsers.
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

function runs(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/**
 * The path of a program, undefined when it is not installed.
 * @param variable an environment variable that may name it
 */
export function program(variable: string, names: readonly string[]): string | undefined {
  const named = process.env[variable]
  if (named) return runs(named) ? named : undefined
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(runs)
}
